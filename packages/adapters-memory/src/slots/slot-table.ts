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

/** The records that have a slot: all that are in a list or can be found by search. */
export type SlottedRecord = ListedRecord | RepositoryRecord | Service;

/** The position of a record. `rank` orders kinds with the same time. */
export interface SlotPlace {
  readonly time: Instant;
  readonly rank: number;
  /** The public key of the record among its kind. */
  readonly key: string;
  readonly scope: ScopeRef;
}

/** Newest first, then by rank, then by key. */
export function comparePlaces(a: SlotPlace, b: SlotPlace): number {
  return b.time - a.time || a.rank - b.rank || compareText(a.key, b.key);
}

const FIRST_CAPACITY = 1_024;

/**
 * Gives every record a small number, its slot, so that indexes contain only integers. The columns of a place are next to each other, because each
 * comparison of two slots reads all of them.
 */
export class SlotTable {
  #times = new Float64Array(FIRST_CAPACITY);
  #ranks = new Uint8Array(FIRST_CAPACITY);
  #scopes = new Uint32Array(FIRST_CAPACITY);
  readonly #keys: string[] = [];
  readonly #records: (SlottedRecord | null)[] = [];
  readonly #scopeNumbers = new Map<ScopeRef, number>([[NO_REPOSITORY, 0]]);
  /** This many of the first slots are in list order, last first. To compare two of them, it is enough to compare their numbers. */
  #ordered = 0;
  #retired: number[] = [];
  #free: number[] = [];

  /** The number of slots that were ever used; all slots are lower than it. */
  get size(): number {
    return this.#records.length;
  }

  get live(): number {
    return this.#records.length - this.#retired.length - this.#free.length;
  }

  /** The slots of removed records that an index may still contain. */
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

  /** Replaces the record of a slot by another version with the same place. */
  replace(slot: number, record: SlottedRecord): void {
    this.#records[slot] = record;
  }

  retire(slot: number): void {
    this.#records[slot] = null;
    this.#retired.push(slot);
  }

  /** Call this when no index contains a retired slot any more. They can then be reused. */
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

  /** The number of the scope to which the slot's record belongs. */
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

  /** Flags that say which scope numbers are among the given scopes. A scope that never had a record has no number. */
  scopeFlags(scopes: readonly ScopeRef[]): Uint8Array {
    const flags = new Uint8Array(this.#scopeNumbers.size);
    for (const scope of scopes) {
      const number = this.#scopeNumbers.get(scope);
      if (number !== undefined) flags[number] = 1;
    }
    return flags;
  }

  /** Negative if `a` comes before `b`: newest first, then by rank, then by key. It is never 0 for two different slots. */
  compare(a: number, b: number): number {
    return a < this.#ordered && b < this.#ordered ? b - a : this.#comparePlaces(a, b);
  }

  #comparePlaces(a: number, b: number): number {
    return this.time(b) - this.time(a) || this.rank(a) - this.rank(b) || compareText(this.key(a), this.key(b)) || a - b;
  }

  /** Negative if the slot comes before the position, in the same order. */
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
