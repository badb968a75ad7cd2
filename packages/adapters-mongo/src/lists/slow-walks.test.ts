import { MINUTE, SECOND } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { MongoServerError } from 'mongodb';
import { SlowWalks } from './first-records.js';

const tooSlow = () => Promise.reject(new MongoServerError({ message: 'operation exceeded time limit', code: 50 }));

describe('slow walks', () => {
  /** The seconds after the first call at which a scan was really run, if it is requested every second. */
  async function triedAt(walk: (second: number) => Promise<string>, seconds: number): Promise<number[]> {
    const clock = new StandingClock(NOW);
    const walks = new SlowWalks(clock);
    const tried: number[] = [];
    for (let second = 0; second < seconds; second++) {
      clock.set(NOW + second * SECOND);
      await walks.tried('commits', () => {
        tried.push(second);
        return walk(second);
      });
    }
    return tried;
  }

  it('are tried again after pauses that double, up to ten seconds', async () => {
    expect(await triedAt(tooSlow, 50)).toEqual([0, 1, 2, 4, 8, 16, 26, 36, 46]);
  });

  it('are no longer skipped after a fast one', async () => {
    expect(await triedAt((second) => (second === 7 || second < 3 ? tooSlow() : Promise.resolve('page')), 11)).toEqual([
      0, 1, 2, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  it('return their result, even while others are skipped', async () => {
    const walks = new SlowWalks(new StandingClock(NOW));
    const page = () => Promise.resolve('page');
    const given: (string | null)[] = [await walks.tried('commits', tooSlow), await walks.tried('commits', tooSlow)];
    given.push(await walks.tried('commits', page), await walks.tried('releases', page));
    expect(given).toEqual([null, null, null, 'page']);
  });

  it('pass on their errors', async () => {
    const walks = new SlowWalks(new StandingClock(NOW));
    const other = new MongoServerError({ message: 'not primary', code: 10_107 });
    await expect(walks.tried('commits', () => Promise.reject(other))).rejects.toBe(other);
    expect(await walks.tried('commits', () => Promise.resolve('page'))).toBe('page');
  });

  it('are forgotten before there are too many', async () => {
    const clock = new StandingClock(NOW);
    const walks = new SlowWalks(clock);
    for (let index = 0; index < 1_001; index++) for (let times = 0; times < 2; times++) await walks.tried(String(index), tooSlow);
    expect(await walks.tried('0', () => Promise.resolve('page'))).toBe('page');
    clock.set(NOW + MINUTE);
    expect(await walks.tried('1000', () => Promise.resolve('page'))).toBe('page');
  });
});
