import type { Commit } from '@vitrine/core';
import type { SlotTable } from '../slots/slot-table.js';

/** Shas with the same first digits share a bucket. There are 4,096 buckets, so a million commits have 244 in each, and a lookup compares all of these. */
const BUCKET_DIGITS = 3;

/** The slots of commits by the prefix of their sha. */
export class ShaIndex {
  readonly #table: SlotTable;
  readonly #buckets = new Map<string, number[]>();

  constructor(table: SlotTable) {
    this.#table = table;
  }

  add(slot: number, commit: Commit): void {
    const head = commit.sha.slice(0, BUCKET_DIGITS);
    const bucket = this.#buckets.get(head);
    if (bucket === undefined) this.#buckets.set(head, [slot]);
    else bucket.push(slot);
  }

  remove(slot: number, commit: Commit): void {
    const bucket = this.#buckets.get(commit.sha.slice(0, BUCKET_DIGITS));
    const index = bucket?.indexOf(slot) ?? -1;
    if (index >= 0) bucket?.splice(index, 1);
  }

  /** @param prefix at least three digits */
  startingWith(prefix: string): number[] {
    return (this.#buckets.get(prefix.slice(0, BUCKET_DIGITS)) ?? []).filter((slot) => this.commit(slot)?.sha.startsWith(prefix) === true);
  }

  commit(slot: number): Commit | null {
    const record = this.#table.record(slot);
    return record?.kind === 'commit' ? record : null;
  }
}
