import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { readConfig } from '@vitrine/collector';
import { Allowlist, SEARCH_TYPES, searchWordsOf } from '@vitrine/core';
import { aFinding, NOW } from '@vitrine/core/testing';
import { sampled, until } from '@vitrine/test-support';
import { collectFor, type Collecting } from '../src/composition/collecting/collect.js';

const clock = { now: () => NOW };
const { signal } = new AbortController();
const MODES = [
  ['collects', true],
  ['only serves', false],
] as const;
const everything = Allowlist.of('acme/widget', 'acme/secret').approved();

describe('search of a server whose allowlist changes', () => {
  let folder: string;
  let store: OpenSqliteStore;
  let collecting: Collecting | null;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-alignment-'));
    approve('acme/widget, acme/secret');
    collecting = null;
    store = await openSqliteStore({ clock, path: join(folder, 'data') });
    await store.writer.put([aFinding({ repositoryRef: 'acme/secret', title: 'zebra' }), aFinding({ title: 'zebra' })], { signal });
  });

  afterEach(async () => {
    await collecting?.stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const approve = (names: string): void => {
    writeFileSync(join(folder, 'vitrine.yaml'), `approved: [${names}]\n`);
  };

  /** Starts what runs beside a server. */
  async function start(collects: boolean): Promise<void> {
    const env = { VITRINE_CONFIG: join(folder, 'vitrine.yaml') };
    const assignment = { config: await readConfig(env), folder: store.folder, origin: 'http://127.0.0.1:1', holder: 'one', collects };
    collecting = await collectFor(assignment, env, () => undefined);
  }

  /** The number of hits if everything is approved. It shows what the index contains. */
  async function found(): Promise<number> {
    const words = searchWordsOf('zebra') ?? { whole: [], prefix: null };
    const query = { words, types: SEARCH_TYPES, limit: 10, after: null, to: NOW };
    return (await store.readers.search.search(everything, query, { signal })).items.length;
  }

  async function becomes(hits: number): Promise<void> {
    await until(async () => (await found()) === hits);
  }

  it.each(sampled(MODES, 2))('does not find hidden records, and finds them again after an approval, where the server %s', async (_, collects) => {
    await start(collects);
    await becomes(2);
    approve('acme/widget');
    await becomes(1);
    approve('acme/widget, acme/secret');
    await becomes(2);
  });

  it.each(sampled([...MODES].reverse(), 2))(
    'does not find hidden records if the list changed while the server was down, where the server %s',
    async (_, collects) => {
      await start(collects);
      await becomes(2);
      await collecting?.stop();
      approve('acme/widget');
      await start(collects);
      await becomes(1);
    },
  );
});
