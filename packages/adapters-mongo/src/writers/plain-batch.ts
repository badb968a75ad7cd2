import { keepFirst, keyOfIdentity, sameValue, type Instant, type PlainIdentity, type PlainRecord } from '@vitrine/core';

/** A new or changed record. */
export interface PlainChange {
  readonly record: PlainRecord;
  readonly stored: PlainRecord | null;
}

/** Decides what a batch changes. A record that was put counts as stored for the following ones. */
export class PlainBatch {
  readonly #stored: ReadonlyMap<string, PlainRecord>;
  readonly #current = new Map<string, PlainRecord>();
  #storedCount = 0;

  /** @param stored the stored records, by {@link batchKey} */
  constructor(stored: ReadonlyMap<string, PlainRecord>) {
    this.#stored = stored;
  }

  /** @param filledAt as in `PutContext` */
  put(given: PlainRecord, filledAt?: Instant): void {
    const key = batchKey(given);
    const current = this.#current.get(key) ?? this.#stored.get(key) ?? null;
    const record = keepFirst(given, current, filledAt);
    if (sameValue(record, current)) return;
    this.#storedCount += 1;
    this.#current.set(key, record);
  }

  /** How many records were new or changed. */
  get storedCount(): number {
    return this.#storedCount;
  }

  get changes(): readonly PlainChange[] {
    return [...this.#current].map(([key, record]) => ({ record, stored: this.#stored.get(key) ?? null }));
  }
}

export function batchKey(identity: PlainIdentity): string {
  return `${identity.kind} ${keyOfIdentity(identity)}`;
}
