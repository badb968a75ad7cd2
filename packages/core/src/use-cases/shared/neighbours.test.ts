import fc from 'fast-check';
import { comparePositions } from '../../kinds/identity.js';
import { DAY, MINUTE } from '../../kinds/instant.js';
import { type TimePosition, pageOf } from '../../kinds/page.js';
import { NOW } from '../../testing/index.js';
import { type ReadListPage, neighboursOf } from './neighbours.js';

/** A list of positions, as a use case reads it. */
function listOf(all: readonly TimePosition[]): ReadListPage<TimePosition> {
  const sorted = [...all].sort(comparePositions);
  return ({ limit, after, from, to }) => {
    const found = sorted.filter(
      (one) => one.time <= (to ?? NOW) && (from === null || one.time >= from) && (after === null || comparePositions(one, after) > 0),
    );
    return Promise.resolve({ data: pageOf(found.slice(0, limit + 1), limit, (one) => one), dataStatus: 'fresh', warnings: [], changesAt: null });
  };
}

const positionOf = (one: TimePosition): TimePosition => one;

describe('the neighbours of a record', () => {
  it('are the records before and after it in the list, at any distance and at the same time', async () => {
    const step = fc.constantFrom(0, 1, MINUTE, DAY, 3 * DAY, 30 * DAY, 900 * DAY);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.nat(), async (steps, pick) => {
        let time = NOW;
        const all = steps.map((length, index): TimePosition => ({ time: (time -= length), id: String(index).padStart(3, '0') }));
        const at = pick % all.length;
        const found = await neighboursOf(all[at] ?? { time, id: '' }, positionOf, listOf(all));
        expect(found).toEqual({ older: all[at + 1] ?? null, newer: all[at - 1] ?? null });
      }),
    );
  });

  it('are found in a crowd of several pages, and in one that is too large the newer one stays unknown', async () => {
    const crowd = (size: number) => Array.from({ length: size }, (_, index): TimePosition => ({ time: NOW - index, id: 'a' }));
    const newerOfLast = async (size: number) => (await neighboursOf({ time: NOW - size + 1, id: 'a' }, positionOf, listOf(crowd(size)))).newer;
    expect(await newerOfLast(350)).toEqual({ time: NOW - 348, id: 'a' });
    expect(await newerOfLast(3_000)).toBeNull();
  });
});
