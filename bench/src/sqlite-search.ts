import type { RepositoryRef, SearchPosition } from '@vitrine/core';
import { Random } from '@vitrine/core/testing';
import type { OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { elementOf } from './element-of.js';
import { searchOver } from './memory-world.js';
import { atMost, percentile, type Figure } from './measure.js';
import { SearchOracle } from './search-oracle.js';
import { searchQueries } from './search-queries.js';
import { timeSearches, type Question, type Run } from './search-questions.js';
import { vocabulary } from './search-world.js';
import { contextOf, filledStore } from './sqlite-store.js';
import { busyRefs, quietRefs, repositoryRecords, worldCommit } from './sqlite-world.js';

const COMMITS = 1_000_000;
const LIMIT = 20;
const WARMING = 40;
const PREFIXES = 140;
const LONGEST_PREFIX = 8;

type Found = ConstructorParameters<typeof SearchOracle>[0][number];

/** @param count the number of commits, for tests */
export async function sqliteSearchFigures(count = COMMITS): Promise<readonly Figure[]> {
  const store = await filledStore('commits_2', count);
  const { busy, quiet } = foundRecords(count);
  const figures = [
    ...(await measured(store, 'that hold 1 % of them', quietRefs, quiet, count)),
    ...(await measured(store, 'that hold 46 % of them', busyRefs, busy, count)),
  ];
  // The cached store is left as it was.
  const { approved, signal } = contextOf(quietRefs);
  await store.writer.indexFor(approved, { signal });
  await store.close();
  return figures;
}

/** The records that each of the two groups of approved repositories can find. */
function foundRecords(count: number) {
  const [busyNames, quietNames] = [new Set(busyRefs), new Set(quietRefs)];
  const of = (names: ReadonlySet<RepositoryRef>): Found[] => repositoryRecords.filter(({ repositoryRef }) => names.has(repositoryRef));
  const [busy, quiet] = [of(busyNames), of(quietNames)];
  for (let serial = 0; serial < count; serial++) {
    const commit = worldCommit(serial);
    if (busyNames.has(commit.repositoryRef)) busy.push(commit);
    else if (quietNames.has(commit.repositoryRef)) quiet.push(commit);
  }
  return { busy, quiet };
}

async function measured(
  store: OpenSqliteStore,
  which: string,
  refs: readonly RepositoryRef[],
  records: readonly Found[],
  count: number,
): Promise<readonly Figure[]> {
  const context = contextOf(refs);
  await store.writer.indexFor(context.approved, context);
  const search = searchOver(store.readers);
  const run: Run = async (q, after) => (await search.execute({ q, types: [], limit: LIMIT, after }, context)).data;
  const questions = await questionsOf(run, new SearchOracle(records));
  await timeSearches(run, questions.slice(0, WARMING));
  const samples = await timeSearches(run, questions.slice(WARMING));
  const what = `search in SQLite, ${count.toLocaleString('en')} commits in 500 repositories, 50 approved ${which}, ${String(samples.length)} queries of one to three words and prefixes, each asked for the first time`;
  return [
    atMost(`${what}: p50`, percentile(samples, 0.5), 'ms', 3),
    atMost('the same: p95', percentile(samples, 0.95), 'ms', 25),
    atMost('the same: the slowest', Math.max(...samples), 'ms', 60),
  ];
}

/** The queries of the mix, and prefixes of two to eight letters. */
async function questionsOf(run: Run, oracle: SearchOracle): Promise<readonly Question[]> {
  const random = new Random(29);
  const prefixes = Array.from({ length: PREFIXES }, (_, index) => ({ q: somePrefix(random, 2 + (index % (LONGEST_PREFIX - 1))), page: 1 }));
  const asked = random.shuffled([...new Map([...searchQueries, ...prefixes].map((query) => [`${query.q} ${String(query.page)}`, query])).values()]);
  const questions: Question[] = [];
  for (const { q, page } of asked) questions.push(await questionOf(run, oracle, q, page));
  return questions;
}

function somePrefix(random: Random, length: number): string {
  for (;;) {
    const word = elementOf(vocabulary, Math.floor(vocabulary.length * random.next() ** 3));
    if (word.length >= length) return word.slice(0, length);
  }
}

/** A deep page is reached through the pages before it. It is not asked for itself. */
async function questionOf(run: Run, oracle: SearchOracle, q: string, page: number): Promise<Question> {
  let after: SearchPosition | null = null;
  let number = 1;
  while (number < page) {
    const next: SearchPosition | null = (await run(q, after)).next;
    if (next === null) break;
    after = next;
    number++;
  }
  return { q, after, ids: oracle.page(q, number, LIMIT) };
}
