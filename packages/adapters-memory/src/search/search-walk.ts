import { MergedSlots } from '../slots/merged-slots.js';
import type { SlotTable } from '../slots/slot-table.js';
import type { SearchTerm } from './search-term.js';

/** Walks through the slots of one tier in order. The lists of the term with the fewest slots are read, and the other terms are tested on each slot. */
export class SearchWalk {
  readonly #terms: readonly SearchTerm[];
  readonly #tier: 0 | 1;
  readonly #merged: MergedSlots;

  /** @param startsAfter whether a slot comes after the position at which to continue */
  constructor(table: SlotTable, terms: readonly SearchTerm[], tier: 0 | 1, startsAfter: (slot: number) => boolean) {
    this.#terms = terms;
    this.#tier = tier;
    const sources = terms.map((term) => term.sources(tier === 0));
    const sizes = sources.map((postings) => postings.reduce((sum, { size }) => sum + size, 0));
    this.#merged = new MergedSlots(table, sources[sizes.indexOf(Math.min(...sizes))] ?? [], startsAfter);
  }

  /** The next admitted slot of the tier; -1 at the end. */
  next(admits: (slot: number) => boolean): number {
    for (let slot = this.#merged.next(); slot >= 0; slot = this.#merged.next()) {
      if (admits(slot) && this.#tierOf(slot) === this.#tier) return slot;
    }
    return -1;
  }

  #tierOf(slot: number): 0 | 1 | null {
    let tier: 0 | 1 = 0;
    for (const term of this.#terms) {
      const match = term.test(slot);
      if (match === 0) return null;
      if (match === 1) tier = 1;
    }
    return tier;
  }
}
