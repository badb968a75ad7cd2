import type { Postings } from './postings.js';
import type { SlotTable } from './slot-table.js';

/** A settled list, and the index to read next. Lists are read from the end to the start. */
interface Cursor {
  readonly postings: Postings;
  index: number;
  slot: number;
}

/** Reads several postings as one list, newest first, without duplicates. */
export class MergedSlots {
  readonly #table: SlotTable;
  /** A heap: its first element has the slot that comes first. */
  readonly #heap: Cursor[] = [];
  #last = -1;

  /** @param startsAfter whether a slot comes after the position at which to start. In each list these slots are at the end */
  constructor(table: SlotTable, sources: readonly Postings[], startsAfter: (slot: number) => boolean) {
    this.#table = table;
    for (const postings of sources) this.#open(postings, startsAfter);
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  /** The next slot; -1 at the end. */
  next(): number {
    let slot = this.#pull();
    while (slot === this.#last && slot >= 0) slot = this.#pull();
    this.#last = slot;
    return slot;
  }

  #open(postings: Postings, startsAfter: (slot: number) => boolean): void {
    postings.settle();
    const index = postings.countWhere(startsAfter) - 1;
    if (index >= 0) this.#heap.push({ postings, index, slot: postings.at(index) });
  }

  #pull(): number {
    const first = this.#heap[0];
    if (first === undefined) return -1;
    const { slot } = first;
    first.index -= 1;
    if (first.index >= 0) first.slot = first.postings.at(first.index);
    else {
      const last = this.#heap.pop();
      if (last !== undefined && last !== first) this.#heap[0] = last;
    }
    if (this.#heap.length > 1) this.#sink(0);
    return slot;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const moving = heap[from];
    if (moving === undefined) return;
    let hole = from;
    for (;;) {
      const child = this.#earlierChild(hole);
      const candidate = heap[child];
      if (candidate === undefined || this.#table.compare(candidate.slot, moving.slot) >= 0) break;
      heap[hole] = candidate;
      hole = child;
    }
    heap[hole] = moving;
  }

  #earlierChild(parent: number): number {
    const left = this.#heap[2 * parent + 1];
    const right = this.#heap[2 * parent + 2];
    if (left === undefined || right === undefined) return 2 * parent + 1;
    return this.#table.compare(right.slot, left.slot) < 0 ? 2 * parent + 2 : 2 * parent + 1;
  }
}
