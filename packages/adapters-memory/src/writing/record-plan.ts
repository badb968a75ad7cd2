import {
  keepFirst,
  keyOfIdentity,
  sameValue,
  type ChangeSet,
  type Instant,
  type PlainIdentity,
  type PlainRecord,
  type RepositoryRef,
} from '@vitrine/core';
import { recordLogKey } from '../log/log-keys.js';
import type { RecordDecoder } from '../log/record-codec.js';
import type { LogChange } from '../log/record-log.js';

/** The stored records in memory, without checks. */
export interface PlainRecords {
  find(kind: PlainRecord['kind'], key: string): PlainRecord | null;
  put(record: PlainRecord): void;
  remove(kind: PlainRecord['kind'], key: string): void;
}

interface PlannedChange {
  readonly kind: PlainRecord['kind'];
  readonly key: string;
  readonly value: Uint8Array | null;
  readonly record: PlainRecord | null;
}

/** The changes of one batch to records other than checks. A planned record counts as stored for the following ones. */
export class RecordPlan {
  readonly #records: PlainRecords;
  readonly #decoder: RecordDecoder;
  readonly #planned = new Map<string, PlannedChange>();
  /** Repositories whose facts may change. */
  readonly touched = new Set<RepositoryRef>();

  constructor(records: PlainRecords, decoder: RecordDecoder) {
    this.#records = records;
    this.#decoder = decoder;
  }

  /** Returns whether the record is new or changed. */
  put(given: PlainRecord, filledAt?: Instant): boolean {
    const key = keyOfIdentity(given);
    const stored = this.#current(given.kind, key);
    const record = keepFirst(given, stored, filledAt);
    this.#touch(record);
    if (sameValue(record, stored)) return false;
    // The store keeps its own copy, because a caller's text may be a slice that keeps a much larger text in memory.
    const { value, copy } = this.#decoder.kept(record);
    this.#planned.set(recordLogKey(record.kind, key), { kind: record.kind, key, value, record: copy });
    return true;
  }

  remove(identity: PlainIdentity): boolean {
    const key = keyOfIdentity(identity);
    const stored = this.#current(identity.kind, key);
    if (stored === null) return false;
    this.#touch(stored);
    this.#planned.set(recordLogKey(identity.kind, key), { kind: identity.kind, key, value: null, record: null });
    return true;
  }

  find(identity: PlainIdentity): PlainRecord | null {
    return this.#current(identity.kind, keyOfIdentity(identity));
  }

  changes(): LogChange[] {
    return [...this.#planned].map(([key, { value }]) => ({ key, value }));
  }

  apply(changed: ChangeSet): void {
    for (const { kind, key, record } of this.#planned.values()) {
      changed.replaced(this.#records.find(kind, key), record);
      if (record === null) this.#records.remove(kind, key);
      else this.#records.put(record);
    }
  }

  #current(kind: PlainRecord['kind'], key: string): PlainRecord | null {
    const planned = this.#planned.get(recordLogKey(kind, key));
    return planned === undefined ? this.#records.find(kind, key) : planned.record;
  }

  #touch(record: PlainRecord): void {
    if (record.kind === 'repository' || record.kind === 'commit' || record.kind === 'release') this.touched.add(record.repositoryRef);
  }
}
