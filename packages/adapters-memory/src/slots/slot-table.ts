import {
  comparePositions,
  compareText,
  NO_REPOSITORY,
  type Instant,
  type ListedRecord,
  type RepositoryRecord,
  type ScopeRef,
  type Service,
  type TimePosition,
} from '@vitrine/core';

/** What has a slot: everything that stands in a list or can be found. */
export type SlottedRecord = ListedRecord | RepositoryRecord | Service;

/** Where a record stands. Kinds that share a time are told apart by `rank`. */
export interface SlotPlace {
  readonly time: Instant;
  readonly rank: number;
  /** The record's public key among its kind. */
  readonly key: string;
  readonly scope: ScopeRef;
}

/** Newest first, then by rank, then by key. */
export function comparePlaces(a: SlotPlace, b: SlotPlace): number {
  return b.time - a.time || a.rank - b.rank || compareText(a.key, b.key);
}

const FIRST_CAPACITY = 1_024;

/**
 * Gives every record a small number, its slot, so that indexes hold plain integers. The columns of a place stand side by side, because each
 * comparison of two slots reads them.
 */
export class SlotTable {
  #times = new Float64Array(FIRST_CAPACITY);
  #ranks = new Uint8Array(FIRST_CAPACITY);
  #scopes = new Uint32Array(FIRST_CAPACITY);
  readonly #keys: string[] = [];
  readonly #records: (SlottedRecord | null)[] = [];
  readonly #scopeNumbers = new Map<ScopeRef, number>([[NO_REPOSITORY, 0]]);
  /** So many slots from the first on stand in the order of the lists, last first: comparing two of them needs no look at their places. */
  #ordered = 0;
  #retired: number[] = [];
  #free: number[] = [];

  /** How many slots were ever given; all are below it. */
  get size(): number {
    return this.#records.length;
  }

  get live(): number {
    return this.#records.length - this.#retired.length - this.#free.length;
  }

  /** Slots whose records are gone, but that an index may still hold. */
  get retired(): number {
    return this.#retired.length;
  }

  insert(record: SlottedRecord, place: SlotPlace): number {
    const slot = this.#free.pop() ?? this.#records.length;
    if (slot >= this.#times.length) this.#grow();
    this.#times[slot] = place.time;
    this.#ranks[slot] = place.rank;
    this.#scopes[slot] = this.scopeNumber(place.scope);
    this.#keys[slot] = place.key;
    this.#records[slot] = record;
    if (slot < this.#ordered) this.#ordered = slot;
    else if (slot === this.#ordered && (slot === 0 || this.#comparePlaces(slot, slot - 1) < 0)) this.#ordered += 1;
    return slot;
  }

  /** Puts another version of the record into its slot; its place must be the same. */
  replace(slot: number, record: SlottedRecord): void {
    this.#records[slot] = record;
  }

  retire(slot: number): void {
    this.#records[slot] = null;
    this.#retired.push(slot);
  }

  /** To be called when no index holds a retired slot any more: they may be given again. */
  reclaim(): void {
    this.#free = [...this.#free, ...this.#retired];
    this.#retired = [];
  }

  record(slot: number): SlottedRecord | null {
    return this.#records[slot] ?? null;
  }

  time(slot: number): Instant {
    return this.#times[slot] ?? 0;
  }

  rank(slot: number): number {
    return this.#ranks[slot] ?? 0;
  }

  key(slot: number): string {
    return this.#keys[slot] ?? '';
  }

  /** The number of the scope that the slot's record belongs to. */
  scope(slot: number): number {
    return this.#scopes[slot] ?? 0;
  }

  scopeNumber(scope: ScopeRef): number {
    const known = this.#scopeNumbers.get(scope);
    if (known !== undefined) return known;
    const number = this.#scopeNumbers.size;
    this.#scopeNumbers.set(scope, number);
    return number;
  }

  /** Which scope numbers are among the given scopes, as flags. Scopes that no record ever had are left out. */
  scopeFlags(scopes: readonly ScopeRef[]): Uint8Array {
    const flags = new Uint8Array(this.#scopeNumbers.size);
    for (const scope of scopes) {
      const number = this.#scopeNumbers.get(scope);
      if (number !== undefined) flags[number] = 1;
    }
    return flags;
  }

  /** Negative when `a` stands before `b`: newest first, then by rank, then by key; never 0 for two slots. */
  compare(a: number, b: number): number {
    return a < this.#ordered && b < this.#ordered ? b - a : this.#comparePlaces(a, b);
  }

  #comparePlaces(a: number, b: number): number {
    return this.time(b) - this.time(a) || this.rank(a) - this.rank(b) || compareText(this.key(a), this.key(b)) || a - b;
  }

  /** Negative when the slot stands before the place, by the same order. */
  compareTo(slot: number, rank: number, position: TimePosition): number {
    if (this.time(slot) !== position.time || this.rank(slot) === rank)
      return comparePositions({ time: this.time(slot), id: this.key(slot) }, position);
    return this.rank(slot) - rank;
  }

  #grow(): void {
    const capacity = this.#times.length * 2;
    const [times, ranks, scopes] = [this.#times, this.#ranks, this.#scopes];
    this.#times = new Float64Array(capacity);
    this.#ranks = new Uint8Array(capacity);
    this.#scopes = new Uint32Array(capacity);
    this.#times.set(times);
    this.#ranks.set(ranks);
    this.#scopes.set(scopes);
  }
}
