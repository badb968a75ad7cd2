import { ListRecords, type Commit, type ListRecordsInput, type StoreReaders } from '@vitrine/core';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { elementOf } from './element-of.js';
import { approvedRefs, clock, context, fillBusyStore, sharedParts } from './memory-world.js';
import { atMost, percentile, timeEach, timeOnce, type Figure } from './measure.js';
import { mustBe } from './wrong-answer.js';

const PAGE = 20;
const DEEP = 1_000;
const PAGES = 500;
const ROUNDS = 9;
const ANY: ListRecordsInput<'commit'> = {
  limit: PAGE,
  after: null,
  from: null,
  to: null,
  repository: null,
  branch: null,
  author: null,
  changeType: null,
};

/** A request for a list, and the expected commits. */
interface Question {
  readonly input: ListRecordsInput<'commit'>;
  readonly shas: readonly string[];
}

export async function listFigures(): Promise<readonly Figure[]> {
  const store = await openSqliteStore({ clock, path: null });
  const { commits } = await fillBusyStore(store);
  const figures = await measureLists(store.readers, commits);
  await store.close();
  return figures;
}

/** @param commits all commits in the store, newest first */
export async function measureLists(readers: StoreReaders, commits: readonly Commit[], deepPage = DEEP): Promise<readonly Figure[]> {
  const list = new ListRecords('commit', readers.commits, sharedParts(readers).records);
  const ask = async ({ input }: Question) => (await list.execute(input, context)).data.items.map(({ record }) => record.sha);
  const questions = await questionsOf(list, commits, deepPage);
  await timeEach(PAGES, () => ask(questions.first), isRight(questions.first));
  const once = () => timeOnce(questions.byTime.length, (index) => ask(elementOf(questions.byTime, index)), pagesAreRight(questions.byTime));
  const firstTime = await once();
  const again = [...(await once()), ...(await once())];
  const rounds = { first: [] as number[], deep: [] as number[], rare: [] as number[] };
  // Alternately, so that a slow moment of the machine affects all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['first', 'deep', 'rare'] as const)
      rounds[name].push(percentile(await timeEach(PAGES, () => ask(questions[name]), isRight(questions[name])), 0.5));
  const p50 = (name: keyof typeof rounds) => percentile(rounds[name], 0.5);
  return [
    atMost('list of 20 commits, 100,000 stored, 25 of 50 repositories approved, asked again: p50', p50('first'), 'ms', 2),
    atMost(`${String(PAGES)} different pages of it, each asked for the first time: p95`, percentile(firstTime, 0.95), 'ms', 2),
    atMost('the same pages, asked again: p95', percentile(again, 0.95), 'ms', 2),
    atMost('page 1,000 against page 1', p50('deep') / p50('first'), 'times', 1.5),
    atMost('with a filter that matches 1 in 1,000, against none', p50('rare') / p50('first'), 'times', 2),
  ];
}

async function questionsOf(list: ListRecords<'commit'>, commits: readonly Commit[], deepPage: number) {
  const approved = new Set(approvedRefs);
  const visible = commits.filter(({ repositoryRef }) => approved.has(repositoryRef));
  const question = (input: Partial<ListRecordsInput<'commit'>>, right: readonly Commit[]): Question => ({
    input: { ...ANY, ...input },
    shas: right.slice(0, PAGE).map(({ sha }) => sha),
  });
  let after: ListRecordsInput<'commit'>['after'] = null;
  for (let page = 1; page < deepPage; page++) after = (await list.execute({ ...ANY, after }, context)).data.next;
  const step = Math.floor(visible.length / (PAGES + 1));
  const rare = visible.filter(({ changeType }) => changeType === 'security');
  return {
    first: question({}, visible),
    deep: question({ after }, visible.slice((deepPage - 1) * PAGE)),
    rare: question({ changeType: 'security' }, rare),
    byTime: Array.from({ length: PAGES }, (_, index) => {
      const right = visible.slice((index + 1) * step);
      return question({ to: right[0]?.committedAt ?? null }, right);
    }),
  };
}

const isRight = (question: Question) => (answered: readonly string[]) => {
  mustBe(`list of commits ${JSON.stringify(question.input)}`, answered, question.shas);
};

const pagesAreRight = (questions: readonly Question[]) => (answered: readonly string[], index: number) => {
  isRight(elementOf(questions, index))(answered);
};
