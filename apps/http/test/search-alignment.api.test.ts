import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, SEARCH_TYPES, searchWordsOf, type RecordWriter } from '@vitrine/core';
import { aFinding, NOW } from '@vitrine/core/testing';
import { until } from '@vitrine/test-support';
import { pino } from 'pino';
import { followAllowlist, startCollecting } from '../src/composition/collecting.js';
import type { Collecting } from '../src/composition/collecting-in-turn.js';
import { configOf, openDeployment, type Deployment } from '../src/composition/deployment.js';

const clock = { now: () => NOW };
const { signal } = new AbortController();
const everything = Allowlist.of('acme/widget', 'acme/secret').approved();

function writerOf({ tasks }: Deployment): RecordWriter {
  if (tasks.withoutLease === null) throw new Error('every write needs a lease');
  return tasks.withoutLease.writer;
}

describe('search of a server whose allowlist changes', () => {
  let folder: string;
  let deployment: Deployment;
  let collecting: Collecting | null;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-alignment-'));
    approve('acme/widget, acme/secret');
    deployment = await open();
    collecting = null;
    deployment.watch();
    await writerOf(deployment).put([aFinding({ repositoryRef: 'acme/secret', title: 'zebra' }), aFinding({ title: 'zebra' })], { signal });
  });

  afterEach(async () => {
    await collecting?.stop();
    await deployment.close();
    rmSync(folder, { recursive: true });
  });

  const logger = pino({ enabled: false });
  const env = () => ({ VITRINE_CONFIG: join(folder, 'vitrine.yaml') });
  const approve = (names: string): void => {
    writeFileSync(join(folder, 'vitrine.yaml'), `approved: [${names}]\n`);
  };
  const open = async (): Promise<Deployment> => openDeployment(await configOf(env()), clock, logger, env());

  /** The number of hits if everything is approved. It shows what the index contains. */
  async function found(): Promise<number> {
    const words = searchWordsOf('zebra') ?? { whole: [], prefix: null };
    const query = { words, types: SEARCH_TYPES, limit: 10, after: null, to: NOW };
    return (await deployment.readers.search.search(everything, query, { signal })).items.length;
  }

  async function becomes(hits: number): Promise<void> {
    await until(async () => (await found()) === hits);
  }

  it.each([
    ['collects', startCollecting],
    ['only serves', followAllowlist],
  ])('does not find hidden records, and finds them again after an approval, where the server %s', async (_, start) => {
    collecting = start({ deployment, clock, logger, origin: () => 'http://127.0.0.1:1', env: env(), pid: 1, print: () => undefined });
    await becomes(2);
    approve('acme/widget');
    await becomes(1);
    approve('acme/widget, acme/secret');
    await becomes(2);
  });

  it.each([
    ['collects', startCollecting],
    ['only serves', followAllowlist],
  ])('does not find hidden records if the list changed while the server was down, where the server %s', async (_, start) => {
    await deployment.close();
    approve('acme/widget');
    deployment = await open();
    collecting = start({ deployment, clock, logger, origin: () => 'http://127.0.0.1:1', env: env(), pid: 1, print: () => undefined });
    await becomes(1);
  });
});
