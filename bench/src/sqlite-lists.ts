import { keyOfIdentity, ListRecords, type ListRecordsInput, type RepositoryRef } from '@vitrine/core';
import { Random } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';
import { sharedParts, shaOf } from './memory-world.js';
import { atMost, percentile, timeOnce, type Figure } from './measure.js';
import { contextOf, filledStore } from './sqlite-store.js';
import { authorOf, branchOf, busyRefs, changeTypeOf, quietRefs, refOf, timeOf } from './sqlite-world.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const PAGES = 600;
const WARMING = 60;
const PAGE = 20;

type Input = ListRecordsInput<'commit'>;

const ANY: Input = { limit: PAGE, after: null, from: null, to: null, repository: null, branch: null, author: null, changeType: null };

/** A request for a page, and its expected commits. */
interface Question {
  readonly input: Input;
  readonly shas: readonly string[];
}

/** A filter, and which commits it matches. */
interface Filter {
  readonly input: Partial<Input>;
  readonly matches: (serial: number) => boolean;
}

/** @param count the number of commits, for tests */
export async function sqliteListFigures(count = COMMITS, pages = PAGES): Promise<readonly Figure[]> {
  const store = await filledStore('commits_2', count);
  const list = new ListRecords('commit', store.readers.commits, sharedParts(store.readers).records);
  const figures: Figure[] = [];
  for (const [what, refs] of [
    ['46 %', busyRefs],
    ['1 %', quietRefs],
  ] as const) {
    const questions = questionsOf(refs, count, WARMING + pages);
    const context = contextOf(refs);
    const samples = await timeOnce(
      questions.length,
      async (index) => (await list.execute(elementOf(questions, index).input, context)).data.items.map(({ record }) => record.sha),
      (answered, index) => {
        const { input, shas } = elementOf(questions, index);
        mustBe(`list of commits ${JSON.stringify(input)}`, answered, shas);
      },
    );
    const of = `list of 20 in SQLite, ${count.toLocaleString('en')} commits in 500 repositories, 50 approved that hold ${what}`;
    const measured = samples.slice(WARMING);
    figures.push(
      atMost(
        `${of}: ${String(pages)} different pages, with and without a filter, each asked for the first time: p95`,
        percentile(measured, 0.95),
        'ms',
        2,
      ),
    );
    figures.push(atMost('the same: the slowest', Math.max(...measured), 'ms', 20));
  }
  await store.close();
  return figures;
}

function questionsOf(refs: readonly RepositoryRef[], count: number, length: number): readonly Question[] {
  const random = new Random(17);
  const approved = new Set(refs);
  const visible = Array.from({ length: count }, (_, serial) => serial).filter((serial) => approved.has(refOf(serial)));
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

/** A page that starts after a commit, or at its time. */
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
