import type { RepositoryRef, SearchPosition } from '@vitrine/core';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { atMost, COMMITS, elementOf, mustBe, percentile, SIZE, timeOnce, type Figure } from '../measure.js';
import { SearchOracle, searchQuestions, type Question } from '../search-questions.js';
import { clock, contextOf, searchOver, worldFolder } from '../stores.js';
import { busyRefs, quietRefs, refOf, repositoryRecords, worldCommit } from '../world.js';

const LIMIT = 20;
const WARMING = 40;
const QUESTIONS = 460;

export async function figures(): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: await worldFolder() });
  const rows = [...(await measured(store, 'that hold 1 % of them', quietRefs)), ...(await measured(store, 'that hold 46 % of them', busyRefs))];
  // The cached store is left as it was.
  const context = contextOf(quietRefs);
  await store.writer.indexFor(context.approved, context);
  await store.close();
  return rows;
}

async function measured(store: OpenSqliteStore, which: string, refs: readonly RepositoryRef[]): Promise<readonly Figure[]> {
  const context = contextOf(refs);
  await store.writer.indexFor(context.approved, context);
  const search = searchOver(store.readers);
  const page = async (q: string, after: SearchPosition | null) =>
    (await search.execute({ q, types: ['commit', 'repository'], limit: LIMIT, after }, context)).data;

  /** The end of the page before, which is reached through the pages before it. */
  async function positionBefore({ q, page: last }: Question): Promise<SearchPosition | null> {
    let after: SearchPosition | null = null;
    for (let number = 1; number < last; number++) after = (await page(q, after)).next ?? after;
    return after;
  }

  const oracle = oracleOf(refs);
  const questions: { readonly q: string; readonly after: SearchPosition | null; readonly ids: readonly string[] }[] = [];
  for (const question of searchQuestions(QUESTIONS)) {
    const ids = oracle.page(question, LIMIT);
    // Fewer pages than requested: the first is asked for.
    const asked = ids.length > 0 ? question : { ...question, page: 1 };
    questions.push({ q: asked.q, after: await positionBefore(asked), ids: oracle.page(asked, LIMIT) });
  }
  const ask = async (index: number): Promise<readonly string[]> => {
    const { q, after } = elementOf(questions, index);
    return (await page(q, after)).items.map(({ id }) => id);
  };
  const samples = await timeOnce(QUESTIONS, ask, (found, index) => {
    const { q, ids } = elementOf(questions, index);
    mustBe(`search for "${q}"`, found, ids);
  });
  const times = samples.slice(WARMING);
  const what = `search in SQLite, ${SIZE} commits in 500 repositories, 50 approved ${which}, ${String(times.length)} queries of one to three words and prefixes, each asked for the first time`;
  return [
    atMost(`${what}: p50`, percentile(times, 0.5), 'ms', 3),
    atMost('the same: p95', percentile(times, 0.95), 'ms', 25),
    atMost('the same: the slowest', Math.max(...times), 'ms', 60),
  ];
}

function oracleOf(refs: readonly RepositoryRef[]): SearchOracle {
  const approved = new Set(refs);
  const serials = Array.from({ length: COMMITS }, (_, serial) => serial).filter((serial) => approved.has(refOf(serial)));
  return new SearchOracle([...repositoryRecords.filter(({ repositoryRef }) => approved.has(repositoryRef)), ...serials.map(worldCommit)]);
}
