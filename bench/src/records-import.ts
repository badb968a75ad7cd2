import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, formatInstant, type Commit, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { importRecords, type ImportOptions } from '@vitrine/collector';
import { megabytesInUse } from './garbage.js';
import { busyCommit, refs } from './memory-world.js';
import { atLeast, atMost, percentile, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

/** The number of records in the file. */
export const RECORDS = 100_000;
const ROUNDS = 3;
/** One of this many records is remembered and checked in the store. */
const SAMPLED = 1_000;

type Common = Omit<ImportOptions, 'writer' | 'onProblem'>;

/** A commit as another tool would write it. */
function line({ repositoryRef, committedAt, provenance, ...same }: Commit): string {
  return `${JSON.stringify({
    ...same,
    repository: repositoryRef,
    committedAt: formatInstant(committedAt),
    provenance: { ...provenance, observedAt: formatInstant(provenance.observedAt) },
  })}\n`;
}

/** Writes the file, and returns a sample of its commits. */
export async function writeRecords(file: string): Promise<readonly Commit[]> {
  const out = createWriteStream(file);
  const sample: Commit[] = [];
  for (let serial = 0; serial < RECORDS; serial++) {
    const commit = busyCommit(serial);
    if (serial % SAMPLED === 0) sample.push(commit);
    if (!out.write(line(commit))) await once(out, 'drain');
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return sample;
}

/** Imports 100,000 commits from a file into a store in a folder, three times. Then imports them into a writer that discards them, to measure the memory of the import itself. */
export async function importFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-import-'));
  try {
    const file = join(folder, 'records.ndjson');
    const sample = await writeRecords(file);
    const clock = { now: () => Date.now() };
    const common = { file, approved: Allowlist.of(...refs).approved(), clock, signal: new AbortController().signal };
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await recordsPerSecond(common, join(folder, `store-${String(round)}`), sample));
    return [
      atLeast('import of a records file into a store in a folder', percentile(rates, 0.5), 'records/s', 5_000),
      atMost('memory the import itself gains over the last nine tenths of the file', await memoryGained(common), 'MiB', 5),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordsPerSecond(common: Common, path: string, sample: readonly Commit[]): Promise<number> {
  const store = await openSqliteStore({ clock: common.clock, path });
  const problems: string[] = [];
  const start = performance.now();
  const { stored } = await importRecords({ ...common, writer: store.writer, onProblem: (problem) => problems.push(problem) });
  const seconds = (performance.now() - start) / 1_000;
  mustBe('an import of a records file', { stored, problems: problems.slice(0, 3) }, { stored: RECORDS, problems: [] });
  for (const commit of sample) mustBe(`commit ${commit.sha}`, await store.readers.commits.bySha(common.approved, commit.sha, common), [commit]);
  await store.close();
  return RECORDS / seconds;
}

/** How many MiB more the import uses at its end than after a tenth of the file, both after a garbage collection. */
async function memoryGained(common: Common): Promise<number> {
  const early: number[] = [];
  let taken = 0;
  const put = (records: readonly StoredRecord[]) => {
    taken += records.length;
    if (taken >= RECORDS / 10 && early.length === 0) early.push(megabytesInUse());
    return Promise.resolve({ stored: records.length, unchanged: 0, refused: [] });
  };
  const none = () => Promise.resolve(0);
  const writer: RecordWriter = {
    put,
    remove: none,
    withdraw: () => Promise.resolve(0),
    moveCommits: none,
    indexFor: () => Promise.resolve({ added: 0, removed: 0 }),
  };
  const { stored } = await importRecords({ ...common, writer, onProblem: () => undefined });
  mustBe('an import into a writer that keeps nothing', { stored, taken }, { stored: RECORDS, taken: RECORDS });
  return megabytesInUse() - (early[0] ?? Number.NaN);
}
