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
import type { Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { specOf, vouchedOf } from '../documents/documents.js';
import { NOT_UTF_8, type FoundDocuments } from '../reading/find-documents.js';
import type { Transaction } from './commits.js';

/** What is stored of the records of a batch. */
export class StoredVersions {
  readonly records = new Map<string, VouchedRecord>();
  /** The keys of all documents, also of those that cannot be decoded: they count as missing, and are overwritten. */
  readonly keys = new Set<string>();
  /** The repositories of commits and releases whose document cannot be decoded: on which day they count is not known. */
  readonly damaged = new Set<RepositoryRef>();

  static async of(transaction: Transaction, identities: readonly PlainIdentity[]): Promise<StoredVersions> {
    const versions = new StoredVersions();
    for (const [kind, own] of grouped(identities, ({ kind }) => kind)) {
      const ids = [...new Set(own.map(keyOfIdentity))];
      versions.add(kind, await transaction.find(specOf(kind).collection, { _id: { $in: ids } }));
    }
    return versions;
  }

  add(kind: PlainRecord['kind'], { documents, damaged }: FoundDocuments): void {
    for (const document of documents) {
      const key = `${kind} ${String(document['_id'])}`;
      const vouched = damaged.has(document) ? NOT_UTF_8 : vouchedOf(kind, document);
      this.keys.add(key);
      if (!(vouched instanceof BadValue)) this.records.set(key, vouched);
      else if (kind === 'commit' || kind === 'release') this.#addDamaged(document);
    }
  }

  #addDamaged({ repositoryRef }: Document): void {
    if (isRepositoryRef(repositoryRef)) this.damaged.add(repositoryRef);
  }
}

/** A record before and after a batch; `null` if it is not stored. */
export interface StoredChange {
  readonly before: PlainRecord | null;
  readonly after: PlainRecord | null;
}

/** What a batch writes. */
interface Decided {
  /** The records that readers show differently, with the statements of their sources. */
  readonly written: readonly VouchedRecord[];
  /** The records of which only the sources have changed. */
  readonly revouched: readonly VouchedRecord[];
  /** The ids of the documents that are removed. */
  readonly removed: readonly { readonly kind: PlainRecord['kind']; readonly id: string }[];
  /** The records that are written or removed, as far as they can be decoded. */
  readonly changes: readonly StoredChange[];
}

/** Decides the changes of a batch. A record that was put counts as stored for the following ones. */
export class PlainBatch {
  /** How many records were new or changed. */
  storedCount = 0;
  readonly #current = new Map<string, VouchedRecord | null>();

  constructor(readonly stored: StoredVersions) {}

  /** Returns whether the record is accepted: see `withStatement`. */
  put(given: PlainRecord, options: Parameters<typeof withStatement>[2]): boolean {
    const key = batchKey(given);
    const current = this.#current.get(key) ?? this.stored.records.get(key) ?? null;
    const vouched = withStatement(current, given, options);
    if (vouched === null) return false;
    if (current === null || !sameValue(vouched.record, current.record)) this.storedCount += 1;
    this.#current.set(key, vouched);
    return true;
  }

  /** Withdraws a source from all stored records; `null` withdraws all sources. Documents that cannot be decoded are removed. */
  withdraw(source: string | null): void {
    for (const key of this.stored.keys) {
      const stored = this.stored.records.get(key);
      this.#current.set(key, stored === undefined ? null : withoutStatement(stored, source));
    }
  }

  decided(): Decided {
    const versions = [...this.#current].map(([key, after]) => ({ key, before: this.stored.records.get(key) ?? null, after }));
    const sorted = grouped(versions, isChange);
    const [changed, others] = [sorted.get(true) ?? [], sorted.get(false) ?? []];
    return {
      written: changed.flatMap(({ after }) => after ?? []),
      removed: changed.flatMap(({ key, after }) => (after === null ? [identityIn(key)] : [])),
      revouched: others.flatMap(({ before, after }) => (after === null || before === null || sameVouchers(after, before) ? [] : [after])),
      changes: changed.map(({ before, after }) => ({ before: before?.record ?? null, after: after?.record ?? null })),
    };
  }
}

interface Version {
  readonly before: VouchedRecord | null;
  readonly after: VouchedRecord | null;
}

/** Whether readers show the record differently. */
function isChange({ before, after }: Version): boolean {
  return after === null || !sameValue(after.record, before?.record);
}

export function batchKey(identity: PlainIdentity): string {
  return `${identity.kind} ${keyOfIdentity(identity)}`;
}

function identityIn(key: string): Decided['removed'][number] {
  const end = key.indexOf(' ');
  return { kind: key.slice(0, end) as PlainRecord['kind'], id: key.slice(end + 1) };
}
