import type { StoreReaders } from '@vitrine/core';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { clock, fillBusyStore } from './memory-world.js';
import { measureLists } from './lists.js';
import { WrongAnswerError } from './wrong-answer.js';

const COMMITS = 1_500;
const DEEP_PAGE = 3;

describe('the benchmark of lists', () => {
  const store = openMemoryStore({ clock }).then(async (opened) => ({ ...opened, ...(await fillBusyStore(opened, COMMITS)) }));

  it('measures a store whose responses are correct', async () => {
    const { readers, commits } = await store;
    const figures = await measureLists(readers, commits, DEEP_PAGE);
    expect(figures.map(({ value }) => (value ?? 0) > 0)).toEqual([true, true, true, true, true]);
  });

  it.each<[string, (shown: readonly number[]) => number[]]>([
    ['leaves one commit out', (shown) => shown.toSpliced(7, 1)],
    ['swaps two commits', (shown) => shown.with(0, 1).with(1, 0)],
    ['answers nothing', () => []],
  ])('fails with the response and the stored data if a store %s', async (_, planted) => {
    const { readers, commits } = await store;
    const wrong: StoreReaders = {
      ...readers,
      commits: {
        bySha: (...args) => readers.commits.bySha(...args),
        list: async (...args) => {
          const page = await readers.commits.list(...args);
          return { ...page, items: planted([...page.items.keys()]).flatMap((index) => page.items[index] ?? []) };
        },
      },
    };
    const run = measureLists(wrong, commits, DEEP_PAGE);
    await expect(run).rejects.toThrow(WrongAnswerError);
    await expect(run).rejects.toThrow(/Wrong answer: list of commits .*\n {2}stored: {3}\[.*\n {2}answered: \[/u);
  });
});
