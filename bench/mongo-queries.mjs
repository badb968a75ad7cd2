import * as core from '../packages/core/dist/index.js';
import { NOW } from '../packages/core/dist/testing/index.js';
import { SnapshotSyncReader } from '../apps/http/dist/composition/snapshot-sync-reader.js';
import { createMongoReaders, ensureIndexes } from '../packages/adapters-mongo/dist/index.js';
import { Collections } from '../packages/adapters-mongo/dist/collections.js';
import { STORED_KINDS } from '../packages/adapters-mongo/dist/documents/documents.js';
import { SearchEntryWriter } from '../packages/adapters-mongo/dist/search/search-entry-writer.js';
import { atMost, percentile } from './measure.mjs';
import { benchMongod, filled } from './mongod.mjs';
import { searchCommit, searchQueries, searchRepositories, searchRepositoryRecords } from './mongo-search.mjs';

/** As a collector writes them. */
const BATCH = 1_000;
const ROUNDS = 10;
/** A database that nobody has asked yet reads everything from the disk. */
const COLD_MAX_TIME_MS = 60_000;
const FEW = 10_000;
const MANY = 1_000_000;
const clock = { now: () => NOW };
const approved = core.Allowlist.of(...searchRepositories.slice(0, 100)).approved();
const context = { approved, signal: new AbortController().signal };

/** So many commits with their entries. Indexes are built when all is stored, which takes a fraction of the time. */
async function fillEntries(db, count) {
  const collections = new Collections(db);
  const entries = new SearchEntryWriter(collections);
  await write(db, entries, searchRepositoryRecords());
  for (let start = 0; start < count; start += BATCH)
    await write(
      db,
      entries,
      Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => searchCommit(start + index)),
    );
  await ensureIndexes(db);
}

async function write(db, entries, records) {
  const { collection, spec } = STORED_KINDS[records[0].kind];
  const changes = records.map((record) => ({ record, stored: null }));
  await Promise.all([
    entries.put(changes, context),
    db.collection(collection).insertMany(
      records.map((record) => spec.toDocument(record)),
      { ordered: false },
    ),
  ]);
}

function searchOver(db, maxTimeMs) {
  const readers = createMongoReaders(db, { clock, maxTimeMs });
  const gate = new core.RepositoryGate(readers.repositories, { refused: () => undefined });
  const deadlines = { run: (_milliseconds, signal, call) => call(signal) };
  // As the API composes it: sync records are read once in 5 s.
  const syncs = new SnapshotSyncReader(readers.syncs, deadlines, { now: () => Date.now() });
  const search = new core.Search(readers.search, readers.checks, gate, new core.FreshnessJudge(syncs, clock), deadlines, clock);
  return (q, after) => search.execute({ q, types: [], limit: 20, after }, context);
}

/** Each query of the mix with the position of its page; the last page of those that do not go so deep. */
async function positioned(run) {
  return Promise.all(
    searchQueries.map(async ({ q, page }) => {
      let after = null;
      for (let number = 1; number < page; number++) {
        const { next } = (await run(q, after)).data;
        if (next === null) break;
        after = next;
      }
      return { q, after };
    }),
  );
}

async function samplesOf(run, mix) {
  const samples = [];
  for (const { q, after } of mix) {
    const start = performance.now();
    await run(q, after);
    samples.push(performance.now() - start);
  }
  return samples;
}

/** A server that runs has its pages in its cache, and code that was compiled. The readers that are measured begin with nothing remembered. */
async function warmed(run) {
  await samplesOf(run, await positioned(run));
}

export async function mongoSearchFigures() {
  const { client, stop } = await benchMongod();
  try {
    const databases = {
      few: await filled(client, 'search_few_4', (db) => fillEntries(db, FEW)),
      many: await filled(client, 'search_many_4', (db) => fillEntries(db, MANY)),
    };
    for (const db of Object.values(databases)) await warmed(searchOver(db, COLD_MAX_TIME_MS));
    const samples = { few: [], many: [] };
    const runs = Object.entries(databases).map(([name, db]) => ({ name, run: searchOver(db) }));
    const mixes = await Promise.all(runs.map(({ run }) => positioned(run)));
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { name, run }] of runs.entries()) {
        const round = await samplesOf(run, mixes[index]);
        samples[name].push(...round);
      }
    const p50 = (name) => percentile(samples[name], 0.5);
    return [
      atMost(`search, 1,000,000 entries, a mix of ${String(searchQueries.length)} queries: p95`, percentile(samples.many, 0.95), 'ms', 15),
      atMost('the same: the slowest', Math.max(...samples.many), 'ms', 100),
      atMost('the same: p50 against that of 10,000 entries', p50('many') / p50('few'), 'times', 1.5),
    ];
  } finally {
    await stop();
  }
}
