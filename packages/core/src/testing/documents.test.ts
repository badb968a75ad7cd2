import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as fastCheck from 'fast-check';
import * as memory from '../../../adapters-memory/src/index.js';
import * as core from '../index.js';
import * as testing from './index.js';

const ROOT = join(__dirname, '../../../..');
const DOCUMENTS = ['packages/core/README.md', 'docs/guides/embed-the-core.md', 'docs/guides/test-a-rule.md', 'docs/guides/write-an-adapter.md'];
const MODULES: Readonly<Record<string, unknown>> = {
  '@vitrine/core': core,
  '@vitrine/core/testing': testing,
  '@vitrine/adapters-memory': memory,
  'fast-check': fastCheck,
};

interface Example {
  /** Where it stands: document and line. */
  readonly place: string;
  readonly code: string;
}

interface Case {
  readonly name: string;
  readonly run: () => unknown;
}

function examplesIn(document: string): Example[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: code = '', index }) => ({
    place: `${document}:${String(text.slice(0, index).split('\n').length)}`,
    code,
  }));
}

const examples = DOCUMENTS.flatMap(examplesIn);

/** Runs an example as a module of its own; tells what it exported, logged, and registered as tests. */
async function runExample({ code }: Example) {
  const { code: script } = transformSync(code, { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } });
  const exported: Record<string, unknown> = {};
  const logged: string[] = [];
  const cases: Case[] = [];
  const log = (...values: unknown[]) => void logged.push(values.map(String).join(' '));
  const load = (name: string): unknown => MODULES[name] ?? createRequire(__filename)(name);
  const it = (name: string, run: () => unknown) => void cases.push({ name, run });
  const run = new Function('exports', 'require', 'console', 'it', 'expect', `return (async () => {${script}\n})()`) as (
    ...args: unknown[]
  ) => Promise<void>;
  await run(exported, load, { log, error: log }, it, expect);
  return { exported, logged, cases };
}

const SETTINGS = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    types: ['node', 'jest'],
    paths: {
      '@vitrine/core': ['../../packages/core/src/index.ts'],
      '@vitrine/core/testing': ['../../packages/core/src/testing/index.ts'],
      '@vitrine/adapters-memory': ['../../packages/adapters-memory/src/index.ts'],
    },
  },
};

/** The problems that the compiler finds, as `place: message`, with the settings of the tests. */
function compile(list: readonly Example[]): string[] {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/documents-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    for (const [index, { code }] of list.entries()) writeFileSync(join(folder, `example-${index}.ts`), code);
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
    // What goes on in a further line belongs to the problem before it; what names no example is told as it is.
    return stdout.split(/\n(?=\S)/u).flatMap((line) => {
      const [, index, message] = /^example-(\d+)\.ts\(\d+,\d+\): error TS\d+: ([\s\S]*)$/u.exec(line) ?? [];
      return line.trim() === '' ? [] : [message === undefined ? line : `${list[Number(index)]?.place ?? ''}: ${message.trim()}`];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the code in the documents', () => {
  it('stands in every one of them', () => {
    expect(DOCUMENTS.filter((document) => !examples.some(({ place }) => place.startsWith(document)))).toEqual([]);
  });

  it('compiles as strictly as the sources, which would tell of a mistake', () => {
    const wrong = { place: 'mistake', code: "import { uptimeOf } from '@vitrine/core';\nuptimeOf({ operational: '1' });\n" };
    expect(compile([...examples, wrong])).toEqual([expect.stringMatching(/^mistake: /)]);
  }, 60_000);

  it.each(examples)('runs, and logs what it says: $place', async (example) => {
    const { logged, cases } = await runExample(example);
    const said = [...example.code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(logged).toEqual(said);
    for (const { run } of cases) await run();
    expect(cases.length > 0).toBe(/^it\(|^ {2}it\(/m.test(example.code));
  });

  it('finds no link that leads nowhere', () => {
    const broken = DOCUMENTS.flatMap((document) => {
      const links = [...readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
      return links
        .filter((link) => statSync(join(ROOT, document, '..', link), { throwIfNoEntry: false })?.isFile() !== true)
        .map((link) => `${document}: ${link}`);
    });
    expect(broken).toEqual([]);
  });
});

describe('the service in the README', () => {
  it('lists what is approved, in about 15 lines', async () => {
    const [readme] = examplesIn('packages/core/README.md');
    if (readme === undefined) throw new Error('the README shows no code');
    expect(readme.code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(17);
    const { exported } = await runExample(readme);
    const { store, latestCommits } = exported as { store: memory.OpenMemoryStore; latestCommits: () => Promise<string[]> };
    const { signal } = new AbortController();
    const hidden = testing.aCommit({ repositoryRef: 'acme/secret', title: 'Hidden' });
    await store.writer.put([testing.aRepositoryRecord(), testing.aCommit({ committedAt: 0 }), { ...hidden, committedAt: 1 }], { signal });
    expect(await latestCommits()).toEqual(['acme/widget 9f1c2d3 Add keyset index for widget commits']);
    await store.close();
  });
});
