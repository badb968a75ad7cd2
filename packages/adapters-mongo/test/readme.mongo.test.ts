import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as sqlite from '@vitrine/adapters-sqlite';
import * as core from '@vitrine/core';
import { Allowlist, SEARCH_TYPES, searchWordsOf, type RecordWriter, type StoreReaders } from '@vitrine/core';
import { aRepositoryRecord, NOW } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import * as mongo from '../src/index.js';

const ADDRESS = /mongodb:\/\/[^'/]*\/vitrine\?replicaSet=rs0/;
const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const context = { signal: new AbortController().signal };

interface Example {
  readonly readers: StoreReaders;
  readonly writer: RecordWriter;
  readonly caughtUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

describeMongo('the code in the README', (databases) => {
  it('opens a store that keeps what is written', async () => {
    const db = await databases.prepared(mongo.initStore);
    const example = await run(databases.uriOf(db.databaseName));
    await example.writer.put([aRepositoryRecord()], context);
    const found = await example.readers.repositories.list(Allowlist.of('acme/widget').approved(), { limit: 1, after: null }, context);
    expect(found.items).toMatchObject([{ fullName: 'acme/widget' }]);
    await example.caughtUp();
    const words = searchWordsOf('widget') ?? { whole: [], prefix: null };
    const query = { words, types: SEARCH_TYPES, limit: 1, after: null, to: NOW };
    expect((await example.readers.search.search(Allowlist.of('acme/widget').approved(), query, context)).items).toHaveLength(1);
    await example.close();
    expect(await db.collection('leases').countDocuments()).toBe(0);
  });
});

const PACKAGES: Readonly<Record<string, unknown>> = { '@vitrine/adapters-mongo': mongo, '@vitrine/adapters-sqlite': sqlite, '@vitrine/core': core };

/** Runs the example as a separate module, with the given database. */
async function run(address: string): Promise<Example> {
  const [, code = ''] = /^```ts\n([^]*?)^```/m.exec(README) ?? [];
  expect(code).toMatch(ADDRESS);
  const options = { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } } as const;
  const script = transformSync(code.replace(ADDRESS, address).replace("'/var/cache/vitrine/search'", 'null'), options).code;
  const exported = {};
  const start = new Function('exports', 'require', `return (async () => {${script}\n})()`) as (...args: unknown[]) => Promise<void>;
  await start(exported, (name: string) => PACKAGES[name]);
  return exported as Example;
}
