import { setImmediate as nextTurn } from 'node:timers/promises';
import { entryWords, nameOfRef, NO_REPOSITORY, searchFieldsOf, type ScopeRef, type SearchableRecord } from '@vitrine/core';
import { scopeOfRecord } from '../records/record-place.js';
import type { SlottedRecord, SlotTable } from '../slots/slot-table.js';
import type { SearchIndex } from './search-index.js';

/** How long a slice of the first indexing may hold the event loop. */
const SLICE_MS = 12;
const SLICE_CHECK = 32;

/** Keeps the search index true to the records: all of them once after loading, in slices, and each one as it is written. */
export class SearchIndexer {
  readonly #index: SearchIndex;
  readonly #table: SlotTable;
  readonly #repositoryName: (scope: ScopeRef) => string | null;
  #isReady = true;
  #isStopped = false;

  /** @param repositoryName how the record of a stored repository spells its name */
  constructor(index: SearchIndex, table: SlotTable, repositoryName: (scope: ScopeRef) => string | null) {
    this.#index = index;
    this.#table = table;
    this.#repositoryName = repositoryName;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  add(slot: number, record: SlottedRecord): void {
    if (isSearchable(record)) this.#index.add(slot, record, this.nameFor(record));
  }

  remove(slot: number, record: SlottedRecord): void {
    if (isSearchable(record)) this.#index.remove(slot, record);
  }

  /** To be called before the new version takes the slot. */
  change(slot: number, before: SlottedRecord, after: SlottedRecord): void {
    if (!isSearchable(before) || !isSearchable(after) || !this.#index.has(slot) || sameTexts(before, after)) return;
    this.remove(slot, before);
    this.add(slot, after);
  }

  /** Indexes records again whose repository is called otherwise now. */
  rename(slots: Iterable<number>, before: string, after: string): void {
    if (entryWords(before).sort().join(' ') === entryWords(after).sort().join(' ')) return;
    for (const slot of slots) {
      const record = this.#table.record(slot);
      if (record === null || !this.#index.has(slot)) continue;
      this.remove(slot, record);
      this.add(slot, record);
    }
  }

  /** The name of its repository by which a record is found; `null` when that is no field of its own. */
  nameFor(record: SearchableRecord): string | null {
    const scope = scopeOfRecord(record);
    if (scope === NO_REPOSITORY || record.kind === 'repository') return null;
    return this.#repositoryName(scope) ?? nameOfRef(scope);
  }

  /** @param slots of loaded records, the one that comes last first, so that every list grows at its end */
  async build(slots: Int32Array): Promise<void> {
    this.#isReady = slots.length === 0;
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [count, slot] of slots.entries()) {
      const record = this.#table.record(slot);
      if (record !== null && !this.#index.has(slot)) this.add(slot, record);
      if (count % SLICE_CHECK !== 0 || performance.now() < sliceEnd) continue;
      await nextTurn();
      if (this.#isStopped) return;
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#isReady = true;
  }

  stop(): void {
    this.#isStopped = true;
  }
}

function isSearchable(record: SlottedRecord): record is SlottedRecord & SearchableRecord {
  return record.kind !== 'build' && record.kind !== 'video' && record.kind !== 'incident';
}

function sameTexts(a: SearchableRecord, b: SearchableRecord): boolean {
  const [before, after] = [searchFieldsOf(a), searchFieldsOf(b)];
  return before.every(({ texts }, field) => {
    const others = after[field]?.texts ?? [];
    return texts.length === others.length && texts.every((text, index) => text === others[index]);
  });
}
