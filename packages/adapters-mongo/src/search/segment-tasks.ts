import type { SearchPosition } from '@vitrine/core';
import { comparePlaces, type Tier } from './entry-place.js';
import type { SegmentView } from './segment-view.js';

const TIERS: readonly Tier[] = [0, 1];
/** Rows of segments that are looked through first; how many times as many when not one of them was a hit, and for how many hits when some were. */
const [FIRST_ROWS, GROWTH, AMPLE] = [16_384, 64, 2];

/** A segment that has to be looked through for hits of a tier. */
export interface SegmentTask {
  readonly view: SegmentView;
  readonly tier: Tier;
  /** No such hit stands before this. */
  readonly start: SearchPosition;
}

/** What is still to be looked through for hits behind a position; what may hold the next ones comes first. */
export class SegmentTasks {
  #left: readonly SegmentTask[];
  /** What was looked through of a tier, and found. */
  #seen: { readonly tier: Tier; rows: number; hits: number } = { tier: 0, rows: 0, hits: 0 };

  constructor(views: readonly SegmentView[], after: SearchPosition | null) {
    this.#left = views.flatMap((view) => tasksOf(view, after)).sort((a, b) => comparePlaces(a.start, b.start));
  }

  /** No hit stands before this that was not looked for; `null` when all were. */
  get start(): SearchPosition | null {
    return this.#left[0]?.start ?? null;
  }

  /** Takes so many of one tier as are likely to hold enough. */
  take(lacking: number): readonly SegmentTask[] {
    const tier = this.#left[0]?.tier ?? 0;
    if (tier !== this.#seen.tier) this.#seen = { tier, rows: 0, hits: 0 };
    let rows = this.#rowsFor(lacking);
    let end = 0;
    for (const task of this.#left) {
      if (task.tier !== tier || rows <= 0) break;
      rows -= task.view.rowCount;
      end += 1;
    }
    const taken = this.#left.slice(0, end);
    this.#left = this.#left.slice(end);
    return taken;
  }

  /** To be told of what the tasks that were taken have brought. */
  found(hits: number, { rowCount }: SegmentView): void {
    this.#seen.rows += rowCount;
    this.#seen.hits += hits;
  }

  #rowsFor(lacking: number): number {
    const { rows, hits } = this.#seen;
    return Math.max(FIRST_ROWS, hits === 0 ? GROWTH * rows : (AMPLE * rows * lacking) / hits);
  }
}

function tasksOf(view: SegmentView, after: SearchPosition | null): readonly SegmentTask[] {
  const tiers = TIERS.filter((tier) => after === null || tier > after.tier || (tier === after.tier && view.oldest <= after.time));
  return tiers.map((tier) => ({ view, tier, start: { tier, time: view.newest, type: view.type, id: '' } }));
}
