import {
  grouped,
  isRepositoryRef,
  keyOfIdentity,
  sameValue,
  sameVouchers,
  withoutStatement,
  withStatement,
  type PlainIdentity,
  type PlainRecord,
  type RepositoryRef,
  type VouchedRecord,
} from '@vitrine/core';
import { BadValue } from '../documents/codec.js';
import { specOf, vouchedOf } from '../documents/documents.js';
import { NOT_UTF_8, type FoundDocuments } from '../reading/find-documents.js';
import type { Transaction } from './commits.js';

/** What a batch does to one document. */
export interface StoredChange {
  readonly kind: PlainRecord['kind'];
  readonly id: string;
  /** Whether the document is stored. One that cannot be decoded counts as a missing record, and is overwritten. */
  readonly isStored: boolean;
  readonly before: VouchedRecord | null;
  /** `null`: the document is removed. */
  readonly after: VouchedRecord | null;
}

/** Decides the changes of a batch. A record that was put counts as stored for the following ones. */
export class PlainBatch {
  /** How many records were new or changed. */
  storedCount = 0;
  /** The repositories of commits and releases whose document cannot be decoded: on which day they count is not known. */
  readonly damaged = new Set<RepositoryRef>();
  /** The stored documents; `null` for those that cannot be decoded. */
  readonly #stored = new Map<string, VouchedRecord | null>();
  readonly #after = new Map<string, VouchedRecord | null>();

  /** A batch that knows what is stored of these records. */
  static async of(transaction: Transaction, identities: readonly PlainIdentity[]): Promise<PlainBatch> {
    const batch = new PlainBatch();
    for (const [kind, own] of grouped(identities, ({ kind }) => kind)) {
      const ids = [...new Set(own.map(keyOfIdentity))];
      batch.add(kind, await transaction.find(specOf(kind).collection, { _id: { $in: ids } }));
    }
    return batch;
  }

  /** Adds stored documents. */
  add(kind: PlainRecord['kind'], { documents, damaged }: FoundDocuments): void {
    for (const document of documents) {
      const vouched = damaged.has(document) ? NOT_UTF_8 : vouchedOf(kind, document);
      const isDamaged = vouched instanceof BadValue;
      this.#stored.set(`${kind} ${String(document['_id'])}`, isDamaged ? null : vouched);
      const ref: unknown = document['repositoryRef'];
      if (isDamaged && (kind === 'commit' || kind === 'release') && isRepositoryRef(ref)) this.damaged.add(ref);
    }
  }

  /** Returns whether the record is accepted: see `withStatement`. */
  put(given: PlainRecord, options: Parameters<typeof withStatement>[2]): boolean {
    const key = `${given.kind} ${keyOfIdentity(given)}`;
    const current = this.#after.get(key) ?? this.#stored.get(key) ?? null;
    const vouched = withStatement(current, given, options);
    if (vouched === null) return false;
    if (!sameValue(vouched.record, current?.record)) this.storedCount += 1;
    this.#after.set(key, vouched);
    return true;
  }

  /** Withdraws a source from all stored records; `null` withdraws all sources. Documents that cannot be decoded are removed. */
  withdraw(source: string | null): void {
    for (const [key, stored] of this.#stored) this.#after.set(key, stored === null ? null : withoutStatement(stored, source));
  }

  /** What must be written. */
  changes(): readonly StoredChange[] {
    const changes = [...this.#after].map(([key, after]): StoredChange => {
      const end = key.indexOf(' ');
      const [kind, id] = [key.slice(0, end) as PlainRecord['kind'], key.slice(end + 1)];
      return { kind, id, isStored: this.#stored.has(key), before: this.#stored.get(key) ?? null, after };
    });
    return changes.filter((change) => !isVouching(change) || !sameVouchers(change.after, change.before));
  }
}

/** A change of the sources of a record that stays the same. */
interface Vouching extends StoredChange {
  readonly before: VouchedRecord;
  readonly after: VouchedRecord;
}

export function isVouching(change: StoredChange): change is Vouching {
  return change.before !== null && change.after !== null && sameValue(change.after.record, change.before.record);
}
