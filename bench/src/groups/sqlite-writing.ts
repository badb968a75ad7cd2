import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatInstant, ListRecords } from '@vitrine/core';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { atLeast, atMost, elementOf, mustBe, percentile, timeOnce, withFolder, type Figure } from '../measure.js';
import { runVitrine } from '../processes.js';
import { clock, contextOf, searchOver, sharedParts } from '../stores.js';
import { repositoryRecords, shaOf, timeOf, vocabulary, worldCommit } from '../world.js';

const RECORDS = 100_000;
const ROUNDS = 3;
const PAUSE_MS = 10;
const SEARCH_EVERY = 5;
const NANOSECONDS = 1e6;
const ANY = { limit: 20, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null } as const;
const refs = repositoryRecords.map(({ repositoryRef }) => repositoryRef);
const context = contextOf(refs);

/** `vitrine import` of 100,000 commits into a store in a folder, three times, while this process reads lists and searches in that store. */
export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => {
    const file = join(folder, 'records.ndjson');
    await pipeline(Readable.from(lines()), createWriteStream(file));
    const [rates, lists, searches]: [number[], number[], number[]] = [[], [], []];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    for (let round = 0; round < ROUNDS; round++) {
      const store = await openSqliteStore({ clock, path: join(folder, `store-${String(round)}`) });
      await store.writer.indexFor(context.approved, context);
      const over = new AbortController();
      delay.enable();
      const reading = readUntil(over.signal, store, lists, searches);
      rates.push(await recordsPerSecond(store, folder, file, round));
      over.abort();
      await reading;
      delay.disable();
      await store.close();
    }
    return [
      atLeast('vitrine import of a records file into SQLite, with search, while another process reads', percentile(rates, 0.5), 'records/s', 5_000),
      atMost('a page of 20 commits meanwhile: p99', percentile(lists, 0.99), 'ms', 30),
      atMost('a search meanwhile: p99', percentile(searches, 0.99), 'ms', 30),
      atMost('the event loop of the reading process: p99.9 of its delay', delay.percentile(99.9) / NANOSECONDS, 'ms', 20),
    ];
  });
}

/** Commits as another tool would write them. */
function* lines(): Generator<string> {
  for (let serial = 0; serial < RECORDS; serial++) {
    const { repositoryRef, committedAt, provenance, ...same } = worldCommit(serial);
    const times = { committedAt: formatInstant(committedAt), provenance: { ...provenance, observedAt: formatInstant(provenance.observedAt) } };
    yield `${JSON.stringify({ ...same, repository: repositoryRef, ...times })}\n`;
  }
}

async function recordsPerSecond(store: OpenSqliteStore, folder: string, file: string, round: number): Promise<number> {
  const config = join(folder, `${String(round)}.yaml`);
  await writeFile(config, `store: {path: store-${String(round)}}\napproved: [${refs.join(', ')}]\n`);
  const { seconds } = await runVitrine(config, ['import', file]);
  for (const first of [0, RECORDS - ANY.limit]) {
    const { items } = await store.readers.commits.list(context.approved, { ...ANY, to: timeOf(first) }, context);
    const expected = items.map((_, index) => shaOf(first + index));
    mustBe('commits after the import', [items.length, items.map(({ sha }) => sha)], [ANY.limit, expected]);
  }
  return RECORDS / seconds;
}

/** Reads a page and sometimes searches, again and again. What is found must be commits of the file, newest first. */
async function readUntil(signal: AbortSignal, { readers }: OpenSqliteStore, lists: number[], searches: number[]): Promise<void> {
  const list = new ListRecords('commit', readers.commits, sharedParts(readers).records);
  const search = searchOver(readers);
  for (let round = 0; !signal.aborted; round++) {
    const readList = () => list.execute({ ...ANY, to: timeOf((round * 7_919) % RECORDS) }, context);
    const listed = await timeOnce(1, readList, ({ data }) => {
      const times = data.items.map(({ record }) => record.committedAt);
      const newestFirst = times.toSorted((a, b) => b - a);
      mustBe('times of a page', times, newestFirst);
    });
    lists.push(...listed);
    await sleep(PAUSE_MS);
    if (round % SEARCH_EVERY !== 0) continue;
    const q = elementOf(vocabulary, (round * 31) % vocabulary.length);
    const found = await timeOnce(
      1,
      () => search.execute({ q, types: ['commit'], limit: ANY.limit }, context),
      ({ data }) => {
        for (const { id, title, description } of data.items) mustBe(`a hit of "${q}" contains it`, `${id} ${title} ${description}`.includes(q), true);
      },
    );
    searches.push(...found);
  }
}
