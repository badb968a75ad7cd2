import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as core from '../packages/core/dist/index.js';
import { LevelRecordLog, openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { importRecords } from '../packages/collector/dist/index.js';
import { busyCommit } from './memory-store.mjs';
import { atLeast, atMost, percentile } from './measure.mjs';

const RECORDS = 100_000;
const ROUNDS = 3;

/** The line of a commit as somebody else's tool would write it. */
function line(serial) {
  const { repositoryRef, committedAt, provenance, ...same } = busyCommit(serial);
  return `${JSON.stringify({
    ...same,
    repository: repositoryRef,
    committedAt: core.formatInstant(committedAt),
    provenance: { ...provenance, observedAt: core.formatInstant(provenance.observedAt) },
  })}\n`;
}

async function writeFile(file) {
  const out = createWriteStream(file);
  for (let serial = 0; serial < RECORDS; serial++) if (!out.write(line(serial))) await once(out, 'drain');
  await new Promise((resolve) => out.end(resolve));
}

/** 100,000 commits from a file into a store in a folder, three times; then into a writer that keeps nothing, to see what the import itself holds. */
export async function importFigures() {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-import-'));
  try {
    const file = join(folder, 'records.ndjson');
    await writeFile(file);
    const clock = { now: () => Date.now() };
    const common = { file, approved: core.Allowlist.of('team/repository-00').approved(), clock, signal: new AbortController().signal };
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await recordsPerSecond(common, join(folder, `store-${String(round)}`)));
    const median = percentile(rates, 0.5);
    return [atLeast('import of a records file into a store in a folder', median, 'records/s', 20_000), await memoryOf(common)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordsPerSecond(common, path) {
  const store = await openMemoryStore({ clock: common.clock, log: await LevelRecordLog.open(path), search: false });
  const problems = [];
  const start = performance.now();
  const { stored } = await importRecords({ ...common, writer: store.writer, onProblem: (problem) => problems.push(problem) });
  const seconds = (performance.now() - start) / 1_000;
  await store.close();
  if (stored !== RECORDS) throw new Error(`stored ${String(stored)} of ${String(RECORDS)}: ${problems[0] ?? 'no problem was reported'}`);
  return RECORDS / seconds;
}

/** How much the import holds at its end more than after a tenth of the file, both after what was dropped is collected. */
async function memoryOf(common) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  let early = null;
  let taken = 0;
  const writer = {
    put(records) {
      taken += records.length;
      if (early === null && taken >= RECORDS / 10) {
        collect();
        early = process.memoryUsage().heapUsed;
      }
      return Promise.resolve({ stored: records.length, unchanged: 0, refused: [] });
    },
  };
  await importRecords({ ...common, writer, onProblem: () => undefined });
  collect();
  return atMost('memory the import itself gains over the last nine tenths of the file', (process.memoryUsage().heapUsed - early) / 2 ** 20, 'MiB', 5);
}
