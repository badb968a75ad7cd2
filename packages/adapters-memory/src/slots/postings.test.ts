import fc from 'fast-check';
import { MergedSlots } from './merged-slots.js';
import { Postings } from './postings.js';
import { SlotTable } from './slot-table.js';
import { aCommit } from '@vitrine/core/testing';

/** A table with only a few different times, so that many slots share one. */
function tableOf(times: readonly number[]): SlotTable {
  const table = new SlotTable();
  for (const [index, time] of times.entries()) table.insert(aCommit(), { time, rank: 1, key: `k${String(index % 17)}`, scope: '-' });
  return table;
}

function listed(postings: Postings): number[] {
  postings.settle();
  return Array.from({ length: postings.length }, (_, index) => postings.at(postings.length - 1 - index));
}

const times = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 90 });
/** Each step is a slot, and whether the list is read afterwards. If the list contains the slot, it is removed; otherwise it is added. */
const steps = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 300 });

describe('Postings', () => {
  it('contain what was added and not removed, in list order, whenever they are read', () => {
    fc.assert(
      fc.property(times, steps, (slotTimes, changes) => {
        const table = tableOf(slotTimes);
        const postings = new Postings(table);
        const expected = new Set<number>();
        for (const [number, isRead] of changes) {
          const slot = number % slotTimes.length;
          if (expected.delete(slot)) postings.remove(slot);
          else {
            postings.add(slot);
            expected.add(slot);
          }
          expect(postings.size).toBe(expected.size);
          if (isRead) expect(listed(postings)).toEqual([...expected].sort((a, b) => table.compare(a, b)));
        }
        expect(listed(postings)).toEqual([...expected].sort((a, b) => table.compare(a, b)));
      }),
    );
  });

  it('keep many slots when they grow beyond a plain array and shrink again', () => {
    const table = tableOf(Array.from({ length: 500 }, (_, index) => (index * 7_919) % 500));
    const postings = new Postings(table);
    for (let slot = 0; slot < 500; slot++) postings.add(slot);
    for (let slot = 0; slot < 500; slot += 2) postings.remove(slot);
    expect(listed(postings)).toEqual(Array.from({ length: 250 }, (_, index) => index * 2 + 1).sort((a, b) => table.compare(a, b)));
  });
});

describe('MergedSlots', () => {
  it('read the union of several lists in order, each slot once, from any position', () => {
    const lists = fc.array(fc.array(fc.nat({ max: 60 }), { maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(lists, fc.integer({ min: -1, max: 12 }), (members, latest) => {
        const table = tableOf(Array.from({ length: 61 }, (_, slot) => (slot * 31) % 12));
        const sources = members.map((slots) => {
          const postings = new Postings(table);
          for (const slot of new Set(slots)) postings.add(slot);
          return postings;
        });
        const merged = new MergedSlots(table, sources, (slot) => table.time(slot) <= latest);
        const seen: number[] = [];
        for (let slot = merged.next(); slot >= 0; slot = merged.next()) seen.push(slot);
        const expected = [...new Set(members.flat())].filter((slot) => table.time(slot) <= latest);
        expect(seen).toEqual(expected.sort((a, b) => table.compare(a, b)));
      }),
    );
  });
});
