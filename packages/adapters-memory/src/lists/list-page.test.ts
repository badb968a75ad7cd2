import { Allowlist, comparePositions, keyFor, positionOf, type Commit, type ListQuery, type TimePosition } from '@vitrine/core';
import { aCommit, NOW, StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { openMemoryStore } from '../index.js';

const SCOPES = ['acme/a', 'acme/b', 'acme/hidden'] as const;
const approved = Allowlist.of('acme/a', 'acme/b', 'acme/never-stored').approved();
const context = { signal: new AbortController().signal };

const commit = fc
  .record({
    scope: fc.constantFrom(...SCOPES),
    seconds: fc.nat({ max: 6 }),
    branch: fc.constantFrom('main', 'next', null),
    // One person's login may be another person's name.
    login: fc.constantFrom('ada', 'Bob', ''),
    name: fc.constantFrom('ada', 'Bob', '__proto__'),
    changeType: fc.constantFrom('fix', null),
  })
  .map(({ scope, seconds, login, name, ...rest }): Commit =>
    aCommit({ ...rest, repositoryRef: scope, authorLogin: login, authorName: name, committedAt: NOW - seconds * 1_000 }),
  );

const commits = fc
  .array(commit, { maxLength: 60 })
  .map((list) => list.map((one, index): Commit => ({ ...one, sha: index.toString(16).padStart(40, '0') })));

const filters = fc.record({
  branch: fc.constantFrom('main', 'next', 'none', null),
  author: fc.constantFrom('ADA', 'ada', 'Bob', '__proto__', null),
  changeType: fc.constantFrom('fix', null),
});

const everything: ListQuery<'commit'> = { limit: 10, after: null, from: null, to: NOW, branch: null, author: null, changeType: null };

async function openWith(list: readonly Commit[]) {
  const store = await openMemoryStore({ clock: new StandingClock(NOW) });
  await store.writer.put(list, context);
  return store;
}

describe('a list of the store in memory', () => {
  it('returns exactly the pages of a plain list, with any filters together', async () => {
    await fc.assert(
      fc.asyncProperty(
        commits,
        filters,
        fc.integer({ min: 1, max: 7 }),
        fc.nat({ max: 6 }),
        fc.option(fc.nat({ max: 6 }), { nil: null }),
        async (list, asked, limit, latest, earliest) => {
          const [from, to] = [earliest === null ? null : NOW - earliest * 1_000, NOW - latest * 1_000];
          const { readers } = await openWith(list);
          const seen: Commit[] = [];
          let after: TimePosition | null = null;
          do {
            const page: Awaited<ReturnType<typeof readers.commits.list>> = await readers.commits.list(
              approved,
              { ...asked, limit, after, from, to },
              context,
            );
            expect(page.next === null || page.items.length === limit).toBe(true);
            seen.push(...page.items);
            after = page.next;
          } while (after !== null);
          const expected = list.filter(
            (one) => one.repositoryRef !== 'acme/hidden' && one.committedAt <= to && one.committedAt >= (from ?? 0) && fulfils(one, asked),
          );
          expect(seen).toEqual(expected.sort((a, b) => comparePositions(positionOf(a), positionOf(b))));
        },
      ),
    );
  });

  it('continues from a position without a record', async () => {
    const list = [1, 2, 3].map((second) => aCommit({ repositoryRef: 'acme/a', sha: String(second).repeat(40), committedAt: NOW - second * 1_000 }));
    const after = { time: NOW - 1_500, id: keyFor('zzz', 'acme/a') };
    const { readers } = await openWith(list);
    expect((await readers.commits.list(approved, { ...everything, after }, context)).items).toEqual(list.slice(1));
  });

  it('follows a record that changes, moves in time or is removed', async () => {
    const { readers, writer } = await openWith([aCommit({ repositoryRef: 'acme/a', branch: 'main' })]);
    const listed = async (query: Partial<ListQuery<'commit'>>): Promise<number> =>
      (await readers.commits.list(approved, { ...everything, ...query }, context)).items.length;
    expect([await listed({ branch: 'main' }), await listed({ branch: 'next' })]).toEqual([1, 0]);
    const changed = aCommit({ repositoryRef: 'acme/a', branch: 'next', committedAt: NOW - 9_000 });
    await writer.put([changed], context);
    expect([await listed({ branch: 'main' }), await listed({ branch: 'next' })]).toEqual([0, 1]);
    expect([await listed({ from: NOW - 8_000 }), await listed({ to: NOW - 9_000 })]).toEqual([0, 1]);
    await writer.remove([changed], context);
    expect(await listed({})).toBe(0);
  });
});

function fulfils(one: Commit, asked: { branch: string | null; author: string | null; changeType: string | null }): boolean {
  const isAuthor =
    asked.author === null ||
    one.authorName === asked.author ||
    (one.authorLogin !== '' && one.authorLogin.toLowerCase() === asked.author.toLowerCase());
  return isAuthor && (asked.branch === null || one.branch === asked.branch) && (asked.changeType === null || one.changeType === asked.changeType);
}
