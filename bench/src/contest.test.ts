import { Contest, warmUp, type Sampler } from './contest.js';

/** A contestant whose samples are given, and who writes its name when it is measured. */
function contestant(name: string, samples: readonly number[], order: string[]): Sampler {
  let count = 0;
  return () => {
    order.push(name);
    return Promise.resolve(samples[count++] ?? Number.NaN);
  };
}

describe('a contest', () => {
  it('measures the contestants in turn, and compares the medians of all rounds', async () => {
    const order: string[] = [];
    const contest = new Contest<'one' | 'two'>();
    const samplers = new Map([
      ['one', contestant('one', [8, 100, 6, 1, 10], order)] as const,
      ['two', contestant('two', [4, 2, 1, 1_000, 3], order)] as const,
    ]);
    await contest.run(samplers, 3);
    await contest.run(samplers, 2);
    expect(order).toEqual(Array.from({ length: 5 }, () => ['one', 'two']).flat());
    expect(contest.ratio('one', 'two')).toBe(8 / 3);
  });

  it('has no ratio for a contestant that was not measured', async () => {
    const contest = new Contest<'one' | 'two'>();
    await contest.run(new Map([['one', contestant('one', [1], [])] as const]), 1);
    expect([contest.ratio('one', 'two'), contest.ratio('two', 'one')]).toEqual([null, null]);
  });

  it('begins after each contestant has answered a number of requests', async () => {
    const order: string[] = [];
    const samplers = new Map([
      ['slow', contestant('slow', [10, 20, 30, 40], order)] as const,
      ['fast', contestant('fast', [60, 60], order)] as const,
    ]);
    await warmUp(samplers, { requests: 100, seconds: 2 });
    expect(order).toEqual(['slow', 'slow', 'slow', 'fast']);
  });
});
