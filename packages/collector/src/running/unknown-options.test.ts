import { Readable } from 'node:stream';
import { Allowlist } from '@vitrine/core';
import { loadConfig } from '../configuration/load-config.js';
import { GitSource, type GitSourceOptions } from '../sources/git/git-source.js';
import { importRecords, type ImportOptions } from '../sources/records/import-records.js';
import { FakeStore } from '../testing/fake-store.js';
import { createSources } from './create-sources.js';
import { Scheduler } from './scheduler.js';
import type { SourcesOptions } from './source-factory.js';

const store = new FakeStore();
const clock = { now: () => 0 };
const approved = Allowlist.of('acme/widget').approved();

const GIT: GitSourceOptions = {
  location: '.',
  ref: 'acme/widget',
  name: { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' },
  url: 'https://code.example/acme/widget',
  label: 'code.example',
  intervalMs: 60_000,
  cacheFolder: 'clones',
  environment: {},
};
const IMPORT: ImportOptions = {
  file: '/dev/null/no',
  approved,
  writer: store,
  clock,
  signal: new AbortController().signal,
  onProblem: () => undefined,
};
const config = () => loadConfig({ text: 'approved: []\n', file: 'vitrine.yaml', env: {} });

const PARTS = {
  GitSource: (more: object) => new GitSource({ ...GIT, ...more }),
  Scheduler: (more: object) => new Scheduler({ writer: store, collection: store, clock, ...more }),
  createSources: (more: object) => createSources(config(), { folder: 'clones', origin: null, ...more } as SourcesOptions),
  importRecords: (more: object) => importRecords({ ...IMPORT, ...more }),
};

/** Why a call fails, before or after it has returned. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

describe('options', () => {
  it.each(Object.entries(PARTS))('%s refuses an option that does not exist', async (name, call) => {
    const failure = await failureOf(() => call({ unheardOf: true }));
    expect(failure).toBeInstanceOf(TypeError);
    expect(String(failure)).toContain(`${name}: unheardOf is not known.`);
  });

  it.each([
    ['GitSource', { branch: ['main'] }, 'branch is not known. Did you mean branches?'],
    ['Scheduler', { configurations: 'x' }, 'configurations is not known. Did you mean configuration?'],
    ['createSources', { enviroment: {} }, 'enviroment is not known. Did you mean environment?'],
    ['importRecords', { admit: () => true }, 'admit is not known. Did you mean admits?'],
  ] as const)('%s names the option that was probably meant', async (name, more, message) => {
    expect(String(await failureOf(() => PARTS[name](more)))).toBe(`TypeError: ${name}: ${message}`);
  });

  it.each([
    ['GitSource', { label: undefined }, 'label must be a text, not undefined'],
    ['Scheduler', { writer: {} }, 'writer must be the writer of a store, not an object'],
    ['createSources', { clock: 1 }, 'clock must be an object such as { now: () => Date.now() }, in whole milliseconds, not 1'],
    ['importRecords', { strict: 'yes' }, 'strict must be true or false, not "yes"'],
  ] as const)('%s refuses a value that it cannot use', async (name, more, message) => {
    expect(String(await failureOf(() => PARTS[name](more)))).toBe(`TypeError: ${name}: ${message}`);
  });

  const FUNCTIONS = {
    Scheduler: ['approved', 'candidates', 'isForeign', 'onReport', 'onError', 'onProgress'],
    createSources: ['approved', 'onListening', 'clientOf'],
    importRecords: ['admits', 'onProblem', 'onProgress'],
  } as const;

  it.each(Object.entries(FUNCTIONS).flatMap(([name, options]) => options.map((option) => [name as keyof typeof FUNCTIONS, option] as const)))(
    '%s refuses a value for %s that is no function',
    async (name, option) => {
      // A permission in place of the function that gives it would leave search as it is.
      const failure = await failureOf(() => PARTS[name]({ [option]: approved }));
      expect(String(failure)).toBe(`TypeError: ${name}: ${option} must be a function, not an object`);
    },
  );

  it.each([
    ['approved', Allowlist.of('acme/widget'), 'approved must be allowlist.approved(), not an object'],
    ['signal', new AbortController(), 'signal must be an AbortSignal, not an object'],
    ['signal', undefined, 'signal must be an AbortSignal, not undefined'],
    ['onProblem', undefined, 'onProblem must be a function, not undefined'],
  ])('importRecords refuses a value of %s that only looks right: %p', async (option, value, message) => {
    expect(String(await failureOf(() => importRecords({ ...IMPORT, [option]: value })))).toBe(`TypeError: importRecords: ${message}`);
  });

  it('importRecords refuses to read an input twice', async () => {
    const failure = await failureOf(() => importRecords({ ...IMPORT, input: Readable.from([]), strict: true }));
    expect(String(failure)).toContain('an input can be read only once');
  });
});
