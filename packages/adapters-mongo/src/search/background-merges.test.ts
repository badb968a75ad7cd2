import type { SearchType } from '@vitrine/core';
import { BackgroundMerges } from './background-merges.js';

/** Merges that end when the test says so. */
class ManualMerges {
  readonly begun: SearchType[] = [];
  readonly failures: unknown[] = [];
  readonly merges = new BackgroundMerges(
    (type, signal) => this.#merge(type, signal),
    (error) => this.failures.push(error),
  );
  end: (error?: Error) => void = () => undefined;

  #merge(type: SearchType, signal: AbortSignal): Promise<void> {
    this.begun.push(type);
    return new Promise((resolve, reject) => {
      this.end = (error) => {
        if (error === undefined) resolve();
        else reject(error);
      };
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  }
}

const turns = async () => {
  for (let left = 10; left > 0; left--) await Promise.resolve();
};

describe('BackgroundMerges', () => {
  it('resolves a request before the merge that it causes has ended', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit']);
    expect(manual.begun).toEqual(['commit']);
    manual.end();
    await manual.merges.settled();
  });

  it('runs one merge at a time, and merges a type again if it was requested meanwhile', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit', 'news']);
    await manual.merges.request(['commit']);
    expect(manual.begun).toEqual(['commit']);
    for (const expected of [
      ['commit', 'news'],
      ['commit', 'news', 'commit'],
    ]) {
      manual.end();
      await turns();
      expect(manual.begun).toEqual(expected);
    }
    manual.end();
    await manual.merges.settled();
    expect(manual.begun).toHaveLength(3);
  });

  it('reports a failure, and tries again with the next request', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit']);
    const broken = new Error('broken');
    manual.end(broken);
    await manual.merges.settled();
    expect(manual.failures).toEqual([broken]);
    await manual.merges.request(['commit']);
    expect(manual.begun).toEqual(['commit', 'commit']);
    manual.end();
    await manual.merges.settled();
    expect(manual.failures).toHaveLength(1);
  });

  it('stops a running merge without a report, and begins again with the next request', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit', 'news']);
    await manual.merges.stop();
    expect([manual.begun, manual.failures]).toEqual([['commit'], []]);
    await manual.merges.request(['news']);
    expect(manual.begun).toEqual(['commit', 'news']);
    const stopping = new AbortController();
    const settled = manual.merges.settled(stopping.signal);
    stopping.abort();
    await settled;
    expect(manual.failures).toEqual([]);
  });

  it('lets a request wait if many others of the type came during one merge', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit']);
    for (let left = 128; left > 0; left--) await manual.merges.request(['commit']);
    let isDone = false;
    const waiting = manual.merges.request(['commit']).then(() => (isDone = true));
    await turns();
    expect(isDone).toBe(false);
    manual.end();
    await turns();
    manual.end();
    await waiting;
    expect(manual.begun).toHaveLength(2);
  });
});
