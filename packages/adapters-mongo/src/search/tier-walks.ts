import type { SearchPosition } from '@vitrine/core';
import type { EntryWalk } from './entry-walk.js';
import type { EntryPlace } from './search-entry-document.js';

export type Tier = SearchPosition['tier'];

/** One tier, and where it goes on. */
interface TierWalk {
  readonly tier: Tier;
  readonly walk: EntryWalk;
  readonly after: Parameters<EntryWalk['next']>[0];
}

export interface TieredEntry {
  readonly tier: Tier;
  readonly entry: EntryPlace;
}

/** A few more entries are read than are asked for, so that one that has to be passed over seldom costs another query. */
const SPARE_ENTRIES = 3;

/** The entries of all tiers, one tier after the other, so that the records behind a page are read at once whatever tier they stand in. */
export class TierWalks {
  #open: readonly TierWalk[];

  constructor(walks: readonly TierWalk[]) {
    this.#open = walks;
  }

  /** At least so many entries, or all that are left. */
  async next(count: number): Promise<readonly TieredEntry[]> {
    const found: TieredEntry[] = [];
    for (let [first, ...others] = this.#open; first !== undefined && found.length < count; [first, ...others] = this.#open) {
      const { tier, walk } = first;
      const { entries, next } = await walk.next(first.after, count - found.length + SPARE_ENTRIES);
      found.push(...entries.map((entry) => ({ tier, entry })));
      this.#open = next === null ? others : [{ tier, walk, after: next }, ...others];
    }
    return found;
  }
}
