import { NO_REPOSITORY } from '@vitrine/core';
import { aService } from '@vitrine/core/testing';
import fc from 'fast-check';
import { comparePlaces, SlotTable, type SlotPlace } from './slot-table.js';

const place = fc.record({ time: fc.nat({ max: 6 }), rank: fc.nat({ max: 1 }), key: fc.constantFrom('a', 'b', 'c') });

describe('SlotTable', () => {
  it('compares slots as their places, in whatever order they were added, removed and reused', () => {
    const steps = fc.array(fc.oneof({ weight: 4, arbitrary: place }, { weight: 1, arbitrary: fc.nat() }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.nat({ max: 20 }), steps, (ordered, changes) => {
        const table = new SlotTable();
        const places = new Map<number, SlotPlace>();
        const insert = (one: Omit<SlotPlace, 'scope'>): void => {
          const given: SlotPlace = { ...one, scope: NO_REPOSITORY };
          if ([...places.values()].every((other) => comparePlaces(other, given) !== 0)) places.set(table.insert(aService(), given), given);
        };
        // As when a store is loaded: every slot comes before the previous one.
        for (let time = 0; time < ordered; time++) insert({ time, rank: 0, key: 'a' });
        for (const change of changes) {
          if (typeof change !== 'number') insert(change);
          else {
            const slot = [...places.keys()][change % Math.max(1, places.size)];
            if (slot === undefined) continue;
            table.retire(slot);
            table.reclaim();
            places.delete(slot);
          }
          const compared = [...places.keys()].sort((a, b) => table.compare(a, b));
          const expected = [...places].sort(([, a], [, b]) => comparePlaces(a, b)).map(([slot]) => slot);
          expect(compared).toEqual(expected);
        }
      }),
    );
  });
});
