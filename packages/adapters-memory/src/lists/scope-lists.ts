import type { ListedRecord } from '@vitrine/core';
import { Postings } from '../slots/postings.js';
import type { SlotTable } from '../slots/slot-table.js';
import { filterKeysOf, type FilterKey } from './filter-keys.js';

/** The lists of one kind in one scope: one of all records, and one for each filter key that some record has. */
export class ScopeLists {
  readonly #table: SlotTable;
  readonly all: Postings;
  readonly #filtered = new Map<FilterKey, Postings>();

  constructor(table: SlotTable) {
    this.#table = table;
    this.all = new Postings(table);
  }

  add(slot: number, record: ListedRecord): void {
    this.all.add(slot);
    for (const key of filterKeysOf(record)) this.#addTo(key, slot);
  }

  remove(slot: number, record: ListedRecord): void {
    this.all.remove(slot);
    for (const key of filterKeysOf(record)) this.#removeFrom(key, slot);
  }

  /** Updates the lists of filters. The place of the record in the list of all records stays the same. */
  change(slot: number, before: ListedRecord, after: ListedRecord): void {
    const had = new Set(filterKeysOf(before));
    const has = new Set(filterKeysOf(after));
    for (const key of had) if (!has.has(key)) this.#removeFrom(key, slot);
    for (const key of has) if (!had.has(key)) this.#addTo(key, slot);
  }

  /** The shortest lists that together contain every record that matches all filters. */
  narrowest(filters: readonly (readonly FilterKey[])[]): readonly Postings[] {
    const [first, ...others] = filters.map((keys) => keys.flatMap((key) => this.#filtered.get(key) ?? []));
    if (first === undefined) return [this.all];
    return others.reduce((narrowest, lists) => (sizeOf(lists) < sizeOf(narrowest) ? lists : narrowest), first);
  }

  settle(): void {
    this.all.settle();
    for (const postings of this.#filtered.values()) postings.settle();
  }

  #addTo(key: FilterKey, slot: number): void {
    let postings = this.#filtered.get(key);
    if (postings === undefined) this.#filtered.set(key, (postings = new Postings(this.#table)));
    postings.add(slot);
  }

  #removeFrom(key: FilterKey, slot: number): void {
    const postings = this.#filtered.get(key);
    postings?.remove(slot);
    if (postings?.size === 0) this.#filtered.delete(key);
  }
}

function sizeOf(lists: readonly Postings[]): number {
  return lists.reduce((sum, postings) => sum + postings.size, 0);
}
