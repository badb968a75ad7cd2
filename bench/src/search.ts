import { Search, ServiceBoard, type SearchPosition } from '@vitrine/core';
import { Random } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { approvedRefs, clock, context, fillBusyStore, noDeadlines, sharedParts, someWord, syllables, vocabulary } from './memory-world.js';
import { atMost, percentile, type Figure } from './measure.js';
import { SearchOracle } from './search-oracle.js';
import { timeSearches, type Question, type Run } from './search-questions.js';

const LIMIT = 20;
const QUERIES = 300;
const WARMING = 50;
const AGAIN = 3;
const DEEP = 100;

export async function searchFigures(): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: null });
  const { readers } = store;
  const { repositories, commits } = await fillBusyStore(store);
  const { gate, freshness } = sharedParts(readers);
  const search = new Search(readers.search, new ServiceBoard(readers.checks, { deadlines: noDeadlines }), gate, freshness, noDeadlines, clock);
  const run = async (q: string, after: SearchPosition | null) => (await search.execute({ q, types: [], limit: LIMIT, after }, context)).data;
  const approved = new Set(approvedRefs);
  const oracle = new SearchOracle([...repositories, ...commits].filter(({ repositoryRef }) => approved.has(repositoryRef)));
  const all = differentQueries(WARMING + QUERIES).map((q) => ({ q, after: null, ids: oracle.page(q, 1, LIMIT) }));
  await timeSearches(run, all.slice(0, WARMING));
  const queries = all.slice(WARMING);
  const firstTime = await timeSearches(run, queries);
  const again = await timeSearches(run, Array.from({ length: AGAIN }, () => queries).flat());
  const deep = await deepQuestions(run, oracle);
  const hundredth = await timeSearches(run, Array.from({ length: Math.ceil(QUERIES / deep.length) }, () => deep).flat());
  await store.close();
  return [
    atMost(
      `search of two terms, the last a 2-letter prefix, 100,000 commits, ${String(QUERIES)} queries, each asked for the first time: p95 of page 1`,
      percentile(firstTime, 0.95),
      'ms',
      25,
    ),
    atMost('the same queries, asked again: p95', percentile(again, 0.95), 'ms', 25),
    atMost(`the same: p95 of page ${String(DEEP)} (${String(deep.length)} queries go so deep), asked again`, percentile(hundredth, 0.95), 'ms', 25),
  ];
}

function differentQueries(count: number): readonly string[] {
  const random = new Random(8);
  const [first, ...others] = syllables.filter(({ length }) => length === 2);
  if (first === undefined) throw new Error('there is no syllable of two letters');
  const queries = new Set<string>();
  while (queries.size < count) queries.add(`${someWord(random)} ${random.pick([first, ...others])}`);
  return [...queries];
}

async function deepQuestions(run: Run, oracle: SearchOracle): Promise<readonly Question[]> {
  const questions: Question[] = [];
  for (const word of new Set(vocabulary.slice(0, 12))) {
    const q = `${word} ca`;
    const after = await positionOfPage(DEEP, (position) => run(q, position));
    if (after !== null) questions.push({ q, after, ids: oracle.page(q, DEEP, LIMIT) });
  }
  return questions;
}

/** The position at which a page starts; `null` if there are fewer pages. */
async function positionOfPage(
  number: number,
  run: (after: SearchPosition | null) => Promise<{ readonly next: SearchPosition | null }>,
): Promise<SearchPosition | null> {
  let after: SearchPosition | null = null;
  for (let page = 1; page < number; page++) {
    after = (await run(after)).next;
    if (after === null) return null;
  }
  return after;
}
