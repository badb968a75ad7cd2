import { keyOfIdentity, ListRecords, type ListRecordsInput, type RepositoryRef } from '@vitrine/core';
import { Random } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { atMost, COMMITS, elementOf, mustBe, percentile, SIZE, timeOnce, type Figure } from '../measure.js';
import { clock, contextOf, sharedParts, worldFolder } from '../stores.js';
import { authorOf, branchOf, busyRefs, changeTypeOf, quietRefs, refOf, shaOf, timeOf } from '../world.js';

const PAGES = 600;
const WARMING = 60;
const PAGE = 20;

type Input = ListRecordsInput<'commit'>;

const ANY: Input = { limit: PAGE, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };

interface Question {
  readonly input: Input;
  readonly shas: readonly string[];
}

interface Filter {
  readonly input: Partial<Input>;
  readonly matches: (serial: number) => boolean;
}

export async function figures(): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: await worldFolder() });
  const list = new ListRecords('commit', store.readers.commits, sharedParts(store.readers).records);
  const rows: Figure[] = [];
  for (const [share, refs] of [['46 %', busyRefs] as const, ['1 %', quietRefs] as const]) {
    const questions = questionsOf(refs, WARMING + PAGES);
    const context = contextOf(refs);
    const ask = async (index: number) => (await list.execute(elementOf(questions, index).input, context)).data.items.map(({ record }) => record.sha);
    const samples = await timeOnce(questions.length, ask, (answered, index) => {
      const { input, shas } = elementOf(questions, index);
      mustBe(`list of commits ${JSON.stringify(input)}`, answered, shas);
    });
    const times = samples.slice(WARMING);
    const what = `list of 20 in SQLite, ${SIZE} commits in 500 repositories, 50 approved that hold ${share}: ${String(PAGES)} different pages, with and without a filter, each asked for the first time`;
    rows.push(atMost(`${what}: p95`, percentile(times, 0.95), 'ms', 2), atMost('the same: the slowest', Math.max(...times), 'ms', 20));
  }
  await store.close();
  return rows;
}

function questionsOf(refs: readonly RepositoryRef[], length: number): readonly Question[] {
  const random = new Random(17);
  const approved = new Set(refs);
  const visible = Array.from({ length: COMMITS }, (_, serial) => serial).filter((serial) => approved.has(refOf(serial)));
  const filters = filtersOf(refs);
  return Array.from({ length }, (_, index) => {
    const filter = elementOf(filters, index % filters.length);
    const start = random.int(visible.length);
    const shas: string[] = [];
    const isCursor = index % 2 === 0;
    for (let at = isCursor ? start + 1 : start; at < visible.length && shas.length < PAGE; at++) {
      const serial = elementOf(visible, at);
      if (filter.matches(serial)) shas.push(shaOf(serial));
    }
    return { input: { ...ANY, ...filter.input, ...startAt(elementOf(visible, start), isCursor) }, shas };
  });
}

function startAt(serial: number, isCursor: boolean): Partial<Input> {
  const time = timeOf(serial);
  if (!isCursor) return { to: time };
  return { after: { time, id: keyOfIdentity({ kind: 'commit', repositoryRef: refOf(serial), sha: shaOf(serial) }) } };
}

function filtersOf(refs: readonly RepositoryRef[]): readonly Filter[] {
  const repository = elementOf(refs, 3);
  return [
    { input: {}, matches: () => true },
    { input: { branch: 'next' }, matches: (serial) => branchOf(serial) === 'next' },
    { input: { author: 'author-31' }, matches: (serial) => authorOf(serial) === '31' },
    { input: { author: 'Author rare' }, matches: (serial) => authorOf(serial) === 'rare' },
    { input: { changeType: 'security' }, matches: (serial) => changeTypeOf(serial) === 'security' },
    { input: { repository }, matches: (serial) => refOf(serial) === repository },
    { input: { author: 'nobody' }, matches: () => false },
  ];
}
