import { createUseCases, DomainError, InvalidInputError, type UseCases, wireUseCases } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW, StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { fakeReaders } from '../../../test/fake-readers.js';
import { widgetOnly } from '../../../test/fake-use-cases.js';

type Execute = (input?: unknown, context?: unknown) => Promise<{ readonly data: unknown }>;

const clock = new StandingClock(NOW);
const shas = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const world = () => fakeReaders([aRepositoryRecord(), ...shas.map((sha, index) => aCommit({ sha, committedAt: NOW - index }))]);
/** The use cases as plain JavaScript calls them: with anything. */
const made = (make = createUseCases) => {
  const readers = world();
  const useCases = make(readers, { clock }) as unknown as Readonly<Record<keyof UseCases, { readonly execute: Execute }>>;
  return { readers, useCases };
};
const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof DomainError || error instanceof TypeError ? error.message : `another error: ${String(error)}`),
  );

describe('a wrong input', () => {
  const limits = [0, -1, 101, 1e9, 1.5, NaN, null, '20', {}];
  const lists = Object.keys(made().useCases).filter((name) => name.startsWith('list') && name !== 'listActivity') as (keyof UseCases)[];
  const page = { key: 'acme:api' };

  it.each(lists)('is a limit of %s that is not a whole number from 1 to 100', async (name) => {
    const { readers, useCases } = made();
    const key = /^listService[A-Z]/.test(name) && name !== 'listServices' ? page : {};
    for (const limit of limits)
      expect(await messageOf(useCases[name].execute({ ...key, limit }, widgetOnly))).toMatch(/^limit must be a whole number from 1 to 100, not /);
    expect(readers.calls).toEqual([]);
  });

  it.each<readonly [keyof UseCases, object, string]>([
    ['listCommits', { limit: '20' }, 'limit must be a whole number from 1 to 100, not "20"'],
    ['listCommits', { brunch: 'main' }, 'brunch is not known. Did you mean branch?'],
    ['getStatus', { week: 1 }, 'week is not known. Known are: days.'],
    ['getOverview', { limit: 1 }, 'limit is not known. Known are: none.'],
    ['listCommits', { branch: ['main', 5] }, 'branch must be a text, a list of at most 200 texts, or null, not [main]'],
    ['listCommits', { repository: 5 }, 'repository must be a text such as owner/name, or null, not 5'],
    ['listCommits', { from: new Date(0) }, 'from must be a time in milliseconds since 1970, such as Date.now(), or null, not an object'],
    ['listCommits', { to: '2026-01-01' }, 'to must be a time in milliseconds since 1970, such as Date.now(), or null, not "2026-01-01"'],
    ['listCommits', { after: 'abc' }, 'after must be what the page before has as next, or null, not "abc"'],
    ['listCommits', { after: { time: NOW } }, 'after must be what the page before has as next, or null, not an object'],
    ['listRepositories', { after: { id: 'x' } }, 'after must be what the page before has as next, or null, not an object'],
    ['getCommit', {}, 'sha must be 7 to 64 hexadecimal digits in lower case, not undefined'],
    ['getCommit', { sha: 'ABCDEF0' }, 'sha must be 7 to 64 hexadecimal digits in lower case, not "ABCDEF0"'],
    ['getRelease', {}, 'id must be the id of a record, which is a text, not undefined'],
    ['getRepositoryHub', { repository: 'acme/widget' }, 'repository is not known. Known are: fullName.'],
    ['getService', { key: 5 }, 'key must be the key of a service, which is a text, not 5'],
    ['getStatus', { days: '7' }, 'days must be a whole number from 1 to 400, not "7"'],
    ['search', { q: ' a ' }, 'q must be a text of 2 to 100 characters, not " a "'],
    ['search', { q: 'widget', type: 'commit' }, 'type is not known. Did you mean types?'],
    [
      'search',
      { q: 'widget', types: ['commits'] },
      expect.stringMatching(/^types must be a list with some of article, commit, .*, not \[commits\]$/) as string,
    ],
  ])('of %s, %j, is named', async (name, input, message) => {
    const { readers, useCases } = made();
    const call = useCases[name].execute(input, widgetOnly);
    await expect(call).rejects.toBeInstanceOf(InvalidInputError);
    expect(await messageOf(call)).toEqual(message);
    expect(readers.calls).toEqual([]);
  });

  it('is a filter with more values than stores look for', async () => {
    const [most, tooMany] = [200, 201].map((length) =>
      made().useCases.listCommits.execute({ author: Array<string>(length).fill('ada') }, widgetOnly),
    );
    await expect(most).resolves.toBeDefined();
    await expect(tooMany).rejects.toThrow('author must be a text, a list of at most 200 texts, or null, not [ada, ada');
  });

  it('is not one that is undefined: it is left out', async () => {
    const { useCases } = made();
    const input = { limit: undefined, after: undefined, repository: undefined, branch: undefined, from: undefined };
    expect((await useCases.listCommits.execute(input, widgetOnly)).data).toEqual((await useCases.listCommits.execute({}, widgetOnly)).data);
  });

  it('is never passed on, whatever it is', async () => {
    const { useCases } = made();
    const value = fc.oneof(fc.constantFrom(undefined, null, 0, 1, '', 'acme/widget', []), fc.anything());
    const names = ['limit', 'after', 'from', 'to', 'repository', 'branch', 'id', 'key', 'sha', 'fullName', 'q', 'types', 'days'];
    const input = fc.oneof(value, fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] }));
    await fc.assert(
      fc.asyncProperty(input, fc.constantFrom(...Object.values(useCases)), async (given, useCase) => {
        expect(await messageOf(useCase.execute(given, widgetOnly))).not.toMatch(/^another error|Cannot read|is not a function/);
      }),
    );
  });
});

describe('a wrong context', () => {
  const { approved, signal } = widgetOnly;
  const PERMISSION = 'needs a permission in its context. Call listCommits.execute({ … }, { approved, signal }) with approved: allowlist.approved().';

  it.each([
    ['is missing', undefined, 'listCommits needs an input and a context. Call listCommits.execute({ … }, { approved, signal }).'],
    ['has no permission', { signal }, `listCommits ${PERMISSION}`],
    ['has a list of names', { approved: ['acme/widget'], signal }, `listCommits ${PERMISSION}`],
    [
      'has no signal',
      { approved },
      expect.stringMatching(/^listCommits needs a signal in its context\. .*AbortSignal\.timeout\(1_000\)\.$/) as string,
    ],
    ['has a controller', { approved, signal: new AbortController() }, expect.stringContaining('needs a signal') as string],
  ])('that %s is named', async (_what, context, message) => {
    const call = made().useCases.listCommits.execute({}, context);
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(await messageOf(call)).toEqual(message);
  });

  it('needs no permission where nothing belongs to a repository', async () => {
    const { useCases } = made();
    expect(await messageOf(useCases.listNews.execute({}, { signal }))).toBe('no error');
    expect(await messageOf(useCases.getOverview.execute({}, { approved: null, signal }))).toBe('no error');
    expect(await messageOf(useCases.getOverview.execute({}, { signal }))).toContain('getOverview needs a permission');
  });
});

it('is not looked for by wireUseCases, whose caller has validated everything', async () => {
  const { useCases } = made(wireUseCases);
  expect((await useCases.listCommits.execute({ limit: 1_000 }, widgetOnly)).data).toMatchObject({ next: null });
});
