import { runsIn, runsToMerge } from './merge-policy.js';
import type { SegmentRef } from './segment.js';

const run = (id: string, ...sizes: number[]): readonly SegmentRef[] =>
  sizes.map((rows, index) => ({ id: `${id}${String(index)}`, run: id, rows, newest: 2, oldest: 1 }));
const runs = (...sizes: number[]) => sizes.map((rows, index) => run(String(index), rows));

describe('runsIn', () => {
  it('groups segments by their run, in order', () => {
    const [first, second] = [run('a', 9, 9, 1), run('b', 3)];
    expect(runsIn([...first, ...second])).toEqual([first, second]);
  });
});

describe('runsToMerge', () => {
  it.each<readonly [string, readonly number[], number]>([
    ['seven of a size', [10, 9, 12, 15, 8, 10, 11], 0],
    ['eight of a size', [10, 9, 12, 15, 8, 10, 11, 9], 8],
    ['eight behind a larger one', [1_000, 10, 9, 12, 15, 8, 10, 11, 9], 8],
    ['eight with smaller ones among them', [1_000, 10, 9, 1, 12, 15, 8, 2, 10, 11, 9, 1], 11],
    ['eight of which a larger one stands between', [10, 9, 12, 15, 1_000, 8, 10, 11, 9], 0],
    ['more than eight of a size, which were added during a merge', [1_000, 10, 9, 12, 15, 8, 10, 11, 9, 12, 13, 1, 9], 12],
    ['different sizes', [70_000, 9_000, 1_000, 100, 12, 1], 0],
    ['none', [], 0],
  ])('%s', (_name, sizes, expected) => {
    expect(runsToMerge(runs(...sizes))).toBe(expected);
  });

  it.each([1, 7, 250, 1_000])('keeps few runs and rewrites rows seldom, with %d rows at a time', (batch) => {
    let sizes: number[] = [];
    let written = 0;
    const batches = 5_000;
    for (let index = 0; index < batches; index++) {
      sizes.push(batch);
      written += batch;
      for (let count = runsToMerge(runs(...sizes)); count > 0; count = runsToMerge(runs(...sizes))) {
        const merged = sizes.slice(-count).reduce((sum, size) => sum + size, 0);
        sizes = [...sizes.slice(0, -count), merged];
        written += merged;
      }
      expect(sizes.length).toBeLessThanOrEqual(7 * 6);
    }
    expect(written / (batches * batch)).toBeLessThan(6);
  });
});
