import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Allowlist, ListRecords, Search, ServiceBoard, type UseCaseContext } from '@vitrine/core';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { importRecords } from '@vitrine/collector';
import { elementOf } from './element-of.js';
import { clock, noDeadlines, refs, sharedParts, shaOf, vocabulary } from './memory-world.js';
import { atLeast, atMost, percentile, type Figure } from './measure.js';
import { RECORDS, writeRecords } from './records-import.js';
import { mustBe } from './wrong-answer.js';

const ROUNDS = 3;
const PAUSE_MS = 10;
const SEARCH_EVERY = 5;
const NANOSECONDS = 1e6;
const ANY = { limit: 20, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null } as const;

interface Reads {
  readonly lists: number[];
  readonly searches: number[];
}

/** Imports 100,000 commits from a file into a store in a folder, three times, while the same process reads lists and searches. */
export async function sqliteWritingFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-sqlite-'));
  try {
    const file = join(folder, 'records.ndjson');
    await writeRecords(file);
    const rates: number[] = [];
    const reads: Reads = { lists: [], searches: [] };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    for (let round = 0; round < ROUNDS; round++) {
      const store = await openSqliteStore({ clock, path: join(folder, `store-${String(round)}`) });
      delay.enable();
      rates.push(await recordsPerSecond(store, file, reads));
      delay.disable();
      await store.close();
    }
    return [
      atLeast('import of a records file into SQLite, with search, while the same process reads', percentile(rates, 0.5), 'records/s', 5_000),
      atMost('a page of 20 commits meanwhile: p99', percentile(reads.lists, 0.99), 'ms', 30),
      atMost('a search meanwhile: p99', percentile(reads.searches, 0.99), 'ms', 30),
      atMost('the event loop meanwhile: p99.9 of its delay', delay.percentile(99.9) / NANOSECONDS, 'ms', 20),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordsPerSecond(store: OpenSqliteStore, file: string, reads: Reads): Promise<number> {
  const approved = Allowlist.of(...refs).approved();
  const context: UseCaseContext = { approved, signal: new AbortController().signal };
  await store.writer.indexFor(approved, context);
  const stop = new AbortController();
  const reading = readUntil(stop.signal, store, context, reads);
  const problems: string[] = [];
  const start = performance.now();
  const { stored } = await importRecords({
    file,
    approved,
    clock: { now: () => Date.now() },
    signal: context.signal,
    writer: store.writer,
    onProblem: (problem) => problems.push(problem),
  });
  const seconds = (performance.now() - start) / 1_000;
  stop.abort();
  await reading;
  mustBe('an import of a records file', { stored, problems: problems.slice(0, 3) }, { stored: RECORDS, problems: [] });
  const newest = await store.readers.commits.list(approved, { ...ANY, to: clock.now() }, context);
  mustBe(
    'the newest commits after the import',
    newest.items.map(({ sha }) => sha),
    Array.from({ length: ANY.limit }, (_, serial) => shaOf(serial)),
  );
  return RECORDS / seconds;
}

/** Reads a page and sometimes searches, again and again. What is found must be commits of the file, newest first. */
async function readUntil(signal: AbortSignal, { readers }: OpenSqliteStore, context: UseCaseContext, { lists, searches }: Reads): Promise<void> {
  const { gate, freshness, records } = sharedParts(readers);
  const list = new ListRecords('commit', readers.commits, records);
  const search = new Search(readers.search, new ServiceBoard(readers.checks, { deadlines: noDeadlines }), gate, freshness, noDeadlines, clock);
  for (let round = 0; !signal.aborted; round++) {
    const to = clock.now() - ((round * 7_919) % RECORDS) * 60_000;
    const page = await timed(lists, () => list.execute({ ...ANY, to }, context));
    mustBeSorted(page.data.items.map(({ record }) => record.committedAt));
    if (round % SEARCH_EVERY === 0) {
      const q = elementOf(vocabulary, (round * 31) % vocabulary.length);
      const found = await timed(searches, () => search.execute({ q, types: ['commit'], limit: ANY.limit, after: null }, context));
      for (const { id, title, description } of found.data.items) mustContain(`${id} ${title} ${description}`, q);
    }
    await sleep(PAUSE_MS);
  }
}

async function timed<Result>(samples: number[], call: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await call();
  samples.push(performance.now() - start);
  return result;
}

/** The word begins a word of the text, or the sha in the id. */
function mustContain(text: string, q: string): void {
  if (!text.includes(q)) mustBe(`search for "${q}"`, text, `a text with "${q}"`);
}

function mustBeSorted(times: readonly number[]): void {
  mustBe(
    'times of a page',
    times,
    [...times].sort((a, b) => b - a),
  );
}
