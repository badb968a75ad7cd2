import type { Db } from 'mongodb';
import {
  Allowlist,
  FreshnessJudge,
  RepositoryGate,
  Search,
  ServiceBoard,
  type Commit,
  type PlainRecord,
  type RepositoryRecord,
  type SearchableRecord,
  type SearchPosition,
} from '@vitrine/core';
import { createMongoReaders, ensureIndexes } from '@vitrine/adapters-mongo';
import { KeptSyncReader } from '../../apps/http/dist/composition/followers.js';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { BadValue } from '../../packages/adapters-mongo/dist/documents/codec.js';
import { STORED_KINDS } from '../../packages/adapters-mongo/dist/documents/documents.js';
import { SearchEntryWriter } from '../../packages/adapters-mongo/dist/search/search-entry-writer.js';
import { Commits } from '../../packages/adapters-mongo/dist/writers/commits.js';
import { atMost, percentile, type Figure } from './measure.js';
import { clock, noDeadlines } from './memory-world.js';
import { benchMongod, filled } from './mongod.js';
import { SearchOracle } from './search-oracle.js';
import { searchQueries } from './search-queries.js';
import { timeSearches, type Question, type Run } from './search-questions.js';
import { searchCommit, searchRepositories, searchRepositoryRecords } from './search-world.js';

/** The batch size of a collector. */
const BATCH = 1_000;
const AGAIN = 3;
const LIMIT = 20;
/** A database without warm caches reads everything from the disk. */
const COLD_MAX_TIME_MS = 60_000;
const MAX_TIME_MS = 1_500;
const MANY = 1_000_000;
const approvedRefs = searchRepositories.slice(0, 100);
const approved = Allowlist.of(...approvedRefs).approved();
const context = { approved, signal: new AbortController().signal };

type Found = Commit | RepositoryRecord;

/** Stores commits with their entries. Indexes are created at the end, which is many times faster. */
async function fillEntries(db: Db, count: number): Promise<void> {
  const collections = new Collections(db);
  const entries = new SearchEntryWriter(collections, new Commits(collections, null));
  const write = async (records: readonly (SearchableRecord & PlainRecord)[], kind: 'commit' | 'repository') => {
    const { collection, spec } = STORED_KINDS[kind];
    await entries.put(
      records.map((record) => ({ record, stored: null })),
      context,
    );
    await collections.writable(collection).insertMany(
      records.map((record) => spec.toDocument(record)),
      { ordered: false },
    );
  };
  await write(searchRepositoryRecords(), 'repository');
  for (let start = 0; start < count; start += BATCH)
    await write(
      Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => searchCommit(start + index)),
      'commit',
    );
  await entries.settled();
  await ensureIndexes(db);
}

/** The stored records of approved repositories. */
async function storedRecords(db: Db): Promise<readonly Found[]> {
  const records: Found[] = [];
  for (const kind of ['repository', 'commit'] as const) {
    const { collection, spec } = STORED_KINDS[kind];
    for await (const document of new Collections(db).of(collection).find({ repositoryRef: { $in: [...approvedRefs] } })) {
      const record = spec.toRecord(document);
      if (record instanceof BadValue) throw new Error(`a stored ${kind} cannot be read`);
      if (record.kind === 'commit' || record.kind === 'repository') records.push(record);
    }
  }
  return records;
}

/** A search with empty caches. As in the API, sync records are read once in 5 s. */
function searchOver(db: Db, maxTimeMs = MAX_TIME_MS): Run {
  const readers = createMongoReaders(db, { clock, maxTimeMs });
  const gate = new RepositoryGate(readers.repositories, { refused: () => undefined });
  const syncs = new KeptSyncReader(readers.syncs, noDeadlines, false);
  const search = new Search(
    readers.search,
    new ServiceBoard(readers.checks, { deadlines: noDeadlines }),
    gate,
    new FreshnessJudge(syncs, clock),
    noDeadlines,
    clock,
  );
  return async (q, after) => (await search.execute({ q, types: [], limit: LIMIT, after }, context)).data;
}

/** Each query of the mix with the position of its page (or of its last page if it has fewer), and its expected result. */
async function questionsOf(db: Db): Promise<readonly Question[]> {
  const run = searchOver(db, COLD_MAX_TIME_MS);
  const oracle = new SearchOracle(await storedRecords(db));
  const questions: Question[] = [];
  for (const { q, page } of searchQueries) {
    let after: SearchPosition | null = null;
    let number = 1;
    for (let next = (await run(q, null)).next; number < page && next !== null; number++) {
      after = next;
      next = (await run(q, after)).next;
    }
    questions.push({ q, after, ids: oracle.page(q, number, LIMIT) });
  }
  return questions;
}

export async function mongoSearchFigures(): Promise<readonly Figure[]> {
  const { client, stop } = await benchMongod();
  try {
    const { firstTime, again } = await measured(await filled(client, 'search_many_5', (db) => fillEntries(db, MANY)));
    return [
      atMost(
        `search, 1,000,000 entries, a mix of ${String(searchQueries.length)} queries, each asked for the first time: p50`,
        percentile(firstTime, 0.5),
        'ms',
        10,
      ),
      atMost('the same: p95', percentile(firstTime, 0.95), 'ms', 30),
      atMost('the same: the slowest', Math.max(...firstTime), 'ms', 60),
      atMost('the same queries, asked again: p95', percentile(again, 0.95), 'ms', 15),
      atMost('the same: the slowest', Math.max(...again), 'ms', 100),
    ];
  } finally {
    await stop();
  }
}

/** Measures with warm caches of the database and compiled code, as in a running server, but with new readers whose caches are empty. */
async function measured(db: Db): Promise<{ readonly firstTime: readonly number[]; readonly again: readonly number[] }> {
  const questions = await questionsOf(db);
  await timeSearches(searchOver(db, COLD_MAX_TIME_MS), questions);
  const run = searchOver(db);
  const firstTime = await timeSearches(run, questions);
  const again: number[] = [];
  for (let round = 0; round < AGAIN; round++) again.push(...(await timeSearches(run, questions)));
  return { firstTime, again };
}
