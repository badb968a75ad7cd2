import type { SlotTable } from './slot-table.js';

/** From this length on, a typed array takes less memory than a plain one. */
const TYPED_LENGTH = 64;
/** Up to this many changes are made one by one; more are made in one pass. */
const FEW = 8;

/**
 * Slots in reverse list order: the record that comes last in the list is first here. So the newest records, which are the most frequent additions,
 * are appended. Additions out of order and removals wait for the next read, which makes all of them in one pass.
 */
export class Postings {
  readonly #table: SlotTable;
  #slots: number[] | Int32Array = [];
  #length = 0;
  #added: number[] = [];
  #removed: Set<number> | null = null;

  constructor(table: SlotTable) {
    this.#table = table;
  }

  get size(): number {
    return this.#length + this.#added.length - (this.#removed?.size ?? 0);
  }

  /** Adds a slot that is not in the list. */
  add(slot: number): void {
    if (this.#removed?.delete(slot) === true) return;
    if (this.#added.length === 0 && this.#removed === null && this.#comesAfterLast(slot)) this.#append(slot);
    else this.#added.push(slot);
  }

  /** Removes a slot that is in the list. */
  remove(slot: number): void {
    if (this.#added.length > FEW) this.settle();
    const waiting = this.#added.indexOf(slot);
    if (waiting >= 0) this.#added.splice(waiting, 1);
    else (this.#removed ??= new Set()).add(slot);
  }

  /** Makes the waiting changes. Call it before every read. */
  settle(): void {
    if (this.#removed !== null) this.#settleRemoved(this.#removed);
    this.#removed = null;
    if (this.#added.length > 0) this.#settleAdded(this.#added.sort((a, b) => this.#table.compare(b, a)));
  }

  /** The slot at an index of the settled list; a higher index comes earlier in list order. */
  at(index: number): number {
    return this.#slots[index] ?? -1;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * How many slots at the end of the list order pass the test. The test must be true for exactly a tail of the list. The next slot to read is at the result minus one.
   */
  countWhere(test: (slot: number) => boolean): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(this.at(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #comesAfterLast(slot: number): boolean {
    return this.#length === 0 || this.#table.compare(slot, this.at(this.#length - 1)) < 0;
  }

  #append(slot: number): void {
    if (Array.isArray(this.#slots) && this.#length < TYPED_LENGTH) this.#slots.push(slot);
    else this.#withRoom(1)[this.#length] = slot;
    this.#length += 1;
  }

  #withRoom(more: number): number[] | Int32Array {
    const needed = this.#length + more;
    if (Array.isArray(this.#slots) ? needed > TYPED_LENGTH : needed > this.#slots.length) {
      const grown = new Int32Array(Math.max(needed, Math.ceil(this.#length * (this.#length < 2_048 ? 2 : 1.5))));
      grown.set(this.#slots.length > this.#length ? this.#slots.slice(0, this.#length) : this.#slots);
      this.#slots = grown;
    }
    return this.#slots;
  }

  #settleRemoved(removed: ReadonlySet<number>): void {
    if (removed.size > FEW) this.#keepWhere((slot) => !removed.has(slot));
    else for (const slot of removed) this.#removeAt(this.#slots.indexOf(slot));
    if (Array.isArray(this.#slots)) this.#slots.length = this.#length;
  }

  #keepWhere(test: (slot: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.#length; i++) {
      const slot = this.at(i);
      if (test(slot)) this.#slots[kept++] = slot;
    }
    this.#length = kept;
  }

  #removeAt(index: number): void {
    if (index < 0 || index >= this.#length) return;
    this.#slots.copyWithin(index, index + 1, this.#length);
    this.#length -= 1;
  }

  /** Merges from the end, so that the list can be changed in place. */
  #settleAdded(added: readonly number[]): void {
    const slots = this.#withRoom(added.length);
    let to = this.#length + added.length - 1;
    let from = this.#length - 1;
    for (let next = added.length - 1; next >= 0; to--) {
      const slot = added[next] ?? -1;
      if (from >= 0 && this.#table.compare(this.at(from), slot) < 0) slots[to] = this.at(from--);
      else {
        slots[to] = slot;
        next--;
      }
    }
    this.#length += added.length;
    this.#added = [];
  }
}
