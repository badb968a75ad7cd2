import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  entryWords,
  isSearchable,
  nameOfRef,
  NO_REPOSITORY,
  searchFieldsOf,
  scopeOfRecord,
  type ApprovedRepositories,
  type ChangeSet,
  type IndexReport,
  type ScopeRef,
  type SearchableRecord,
} from '@vitrine/core';
import type { SlottedRecord, SlotTable } from '../slots/slot-table.js';
import { inSlices } from './in-slices.js';
import type { SearchIndex } from './search-index.js';

/** How long indexing may block the event loop at a time. */
const SLICE_MS = 12;
const SLICE_RECORDS = 32;
/** Indexing starts when there was no write for this time, because it takes longer than all other work of a write. */
const QUIET_MS = 50;
/** Indexing starts after this time at the latest. */
const MAX_WAIT_MS = 5_000;

/**
 * Keeps the search index up to date with the records. Removed records leave the index at once. Written records are indexed when the process is idle, or at the next
 * search: a search waits for everything that was written before it.
 */
export class SearchIndexer {
  readonly #index: SearchIndex;
  readonly #table: SlotTable;
  readonly #repositoryName: (scope: ScopeRef) => string | null;
  readonly #waiting = new Set<number>();
  #lastWrite = 0;
  #isReady = true;
  /** How many waiting records were indexed so far. */
  #done = 0;
  #built: Promise<void> = Promise.resolve();
  #isDraining = false;
  /** Whether a search is waiting for the index. */
  #isUrgent = false;
  #isStopped = false;
  /** The repositories whose records are indexed; `null` for all. */
  #approved: ApprovedRepositories | null;
  /** Whether the index matches the allowlist: it has all records of approved repositories, and no trace of others. */
  #isInLine = true;

  /** @param repositoryName the name of a repository in the spelling of its stored record */
  constructor(index: SearchIndex, table: SlotTable, repositoryName: (scope: ScopeRef) => string | null, approved: ApprovedRepositories | null) {
    this.#approved = approved;
    this.#index = index;
    this.#table = table;
    this.#repositoryName = repositoryName;
  }

  /** Whether all loaded records are indexed. */
  get isReady(): boolean {
    return this.#isReady && !this.#isStopped;
  }

  add(slot: number, record: SlottedRecord): void {
    if (isSearchable(record) && this.#isApproved(record) && !this.#isStopped) this.#wait(slot);
  }

  remove(slot: number, record: SlottedRecord): void {
    this.#leave(slot);
    if (isSearchable(record)) this.#index.remove(slot, record);
  }

  /** Call this before the new version is put into the slot. */
  change(slot: number, before: SlottedRecord, after: SlottedRecord): void {
    if (!isSearchable(before) || !isSearchable(after) || !this.#index.has(slot) || sameTexts(before, after)) return;
    this.#index.remove(slot, before);
    this.#wait(slot);
  }

  /** Indexes records again after their repository was renamed. */
  rename(slots: Iterable<number>, before: string, after: string): void {
    if (entryWords(before).sort().join(' ') === entryWords(after).sort().join(' ')) return;
    for (const slot of slots) {
      const record = this.#table.record(slot);
      if (record === null || !isSearchable(record) || !this.#index.has(slot)) continue;
      this.#index.remove(slot, record);
      this.#wait(slot);
    }
  }

  /** Updates the index to match an allowlist, as the writer port promises. No write may be running. @param changed gets the records that search finds or no longer finds */
  async indexFor(approved: ApprovedRepositories, changed: ChangeSet, signal: AbortSignal): Promise<IndexReport> {
    if (this.#isStopped || (this.#isInLine && isSameList(this.#approved, approved))) return { added: 0, removed: 0 };
    await this.#built;
    this.#isInLine = false;
    this.#approved = approved;
    const pause = inSlices(SLICE_MS, signal);
    const report = { added: 0, removed: 0 };
    for (let slot = 0; slot < this.#table.size; slot++) {
      this.#align(slot, report, changed);
      const turn = pause();
      if (turn !== null) await turn;
    }
    await this.#index.vocabulary.forgetUnused(pause);
    await this.settled();
    this.#isInLine = true;
    return report;
  }

  #align(slot: number, report: { added: number; removed: number }, changed: ChangeSet): void {
    const record = this.#table.record(slot);
    if (record === null || !isSearchable(record)) return;
    const isIndexed = this.#index.has(slot) || this.#waiting.has(slot);
    if (isIndexed === this.#isApproved(record)) return;
    report[isIndexed ? 'removed' : 'added'] += 1;
    changed.replaced(record, record);
    if (isIndexed) this.remove(slot, record);
    else this.#wait(slot);
  }

  #isApproved(record: SearchableRecord): boolean {
    const scope = scopeOfRecord(record);
    return this.#approved === null || scope === NO_REPOSITORY || this.#approved.admits(scope);
  }

  /** The name of the record's repository, whose words also count; `null` if the name is not indexed for this record. */
  nameFor(record: SearchableRecord): string | null {
    const scope = scopeOfRecord(record);
    if (scope === NO_REPOSITORY || record.kind === 'repository') return null;
    return this.#repositoryName(scope) ?? nameOfRef(scope);
  }

  /** Resolves when everything that was loaded or written before is indexed. */
  async settled(): Promise<void> {
    await this.#built;
    const target = this.#done + this.#waiting.size;
    // A small amount is indexed at once. A larger one is indexed in the background, because other searches may be waiting for the event loop too.
    this.#slice();
    this.#isUrgent = this.#done < target;
    while (this.#done < target && !this.#isStopped) await nextTurn();
  }

  /** @param slots loaded records, last first, so that every list grows at its end */
  build(slots: Int32Array): void {
    if (this.#isStopped) return;
    this.#isReady = slots.length === 0;
    this.#built = this.#buildInSlices(slots);
  }

  async #buildInSlices(slots: Int32Array): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [count, slot] of slots.entries()) {
      this.#indexSlot(slot);
      if (count % SLICE_RECORDS !== 0 || performance.now() < sliceEnd) continue;
      await nextTurn();
      if (this.#hasStopped()) return;
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#isReady = true;
  }

  /** This is a method, because the compiler assumes that a field does not change during an `await`. */
  #hasStopped(): boolean {
    return this.#isStopped;
  }

  /** Stops indexing: the store is closed, or was opened without search. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
  }

  #leave(slot: number): void {
    if (this.#waiting.delete(slot)) this.#done += 1;
  }

  #wait(slot: number): void {
    this.#waiting.add(slot);
    this.#lastWrite = performance.now();
    if (!this.#isDraining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    const latest = performance.now() + MAX_WAIT_MS;
    do await sleep(QUIET_MS, undefined, { ref: false });
    while (!this.#isUrgent && performance.now() - this.#lastWrite < QUIET_MS && performance.now() < latest);
    while (this.#waiting.size > 0) {
      this.#slice();
      await nextTurn();
    }
    this.#isDraining = false;
    this.#isUrgent = false;
  }

  #slice(): void {
    const sliceEnd = performance.now() + SLICE_MS;
    while (this.#waiting.size > 0 && performance.now() < sliceEnd) this.#indexWaiting(SLICE_RECORDS);
  }

  #indexWaiting(count: number): void {
    let left = count;
    for (const slot of this.#waiting) {
      if (left-- === 0) return;
      this.#leave(slot);
      this.#indexSlot(slot);
    }
  }

  #indexSlot(slot: number): void {
    const record = this.#table.record(slot);
    if (record !== null && isSearchable(record) && this.#isApproved(record) && !this.#index.has(slot))
      this.#index.add(slot, record, this.nameFor(record));
  }
}

function isSameList(known: ApprovedRepositories | null, given: ApprovedRepositories): boolean {
  return known?.refs.join(' ') === given.refs.join(' ');
}

function sameTexts(a: SearchableRecord, b: SearchableRecord): boolean {
  const [before, after] = [searchFieldsOf(a), searchFieldsOf(b)];
  return before.every(({ texts }, field) => {
    const others = after[field]?.texts ?? [];
    return texts.length === others.length && texts.every((text, index) => text === others[index]);
  });
}
