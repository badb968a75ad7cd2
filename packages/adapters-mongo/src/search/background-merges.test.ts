import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchType } from '@vitrine/core';
import { BackgroundMerges, type GiveWay } from './background-merges.js';

/** Merges that end when the test says so. */
class ManualMerges {
  readonly begun: SearchType[] = [];
  readonly failures: unknown[] = [];
  readonly merges = new BackgroundMerges(
    (type, giveWay) => this.#merge(type, giveWay),
    (error) => this.failures.push(error),
  );
  end: (error?: Error) => void = () => undefined;

  /** Like a real merge, it notices only at the end of a step that it must stop. */
  async #merge(type: SearchType, giveWay: GiveWay): Promise<boolean> {
    this.begun.push(type);
    await new Promise<void>((resolve, reject) => {
      this.end = (error) => {
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    await giveWay();
    return false;
  }
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(1);
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
      await until(() => manual.begun.length === expected.length);
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
    const stopped = manual.merges.stop();
    manual.end();
    await stopped;
    expect([manual.begun, manual.failures]).toEqual([['commit'], []]);
    await manual.merges.request(['news']);
    expect(manual.begun).toEqual(['commit', 'news']);
    const stopping = new AbortController();
    const settled = manual.merges.settled(stopping.signal);
    stopping.abort();
    manual.end();
    await settled;
    expect(manual.failures).toEqual([]);
  });

  it('goes on with a type that has more to merge, and lets the others have their turn', async () => {
    const begun: SearchType[] = [];
    const merges = new BackgroundMerges(
      (type) => {
        begun.push(type);
        return Promise.resolve(begun.length < 4);
      },
      () => undefined,
    );
    await merges.request(['commit', 'news']);
    await merges.settled();
    expect(begun).toEqual(['commit', 'news', 'commit', 'news', 'commit']);
  });

  it('lets a merge of new segments run first if many were added during a merge', async () => {
    const order: string[] = [];
    const merges: BackgroundMerges = new BackgroundMerges(
      async (_type, giveWay) => {
        const name = `merge ${String(order.length)}`;
        order.push(name);
        await sleep(1);
        if (order.length === 1) {
          for (let left = 16; left > 0; left--) await merges.request(['commit']);
          await giveWay();
        }
        order.push(`end of ${name}`);
        return false;
      },
      () => undefined,
    );
    await merges.request(['commit']);
    await merges.settled();
    expect(order).toEqual(['merge 0', 'merge 1', 'end of merge 1', 'end of merge 0']);
  });

  it('lets a request wait if many others of the type came during one merge', async () => {
    const manual = new ManualMerges();
    await manual.merges.request(['commit']);
    for (let left = 128; left > 0; left--) await manual.merges.request(['commit']);
    let isDone = false;
    const waiting = manual.merges.request(['commit']).then(() => (isDone = true));
    await sleep(5);
    expect(isDone).toBe(false);
    manual.end();
    await until(() => manual.begun.length === 2);
    manual.end();
    await waiting;
    expect(manual.begun).toHaveLength(2);
  });
});
