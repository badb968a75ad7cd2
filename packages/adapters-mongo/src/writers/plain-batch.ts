import {
  isRepositoryRef,
  keyOfIdentity,
  sameValue,
  sameVouchers,
  startOfDay,
  timeOf,
  withoutStatement,
  withStatement,
  type Commit,
  type Instant,
  type PlainIdentity,
  type PlainRecord,
  type RefusedRecord,
  type Release,
  type RepositoryRef,
  type VouchedRecord,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import type { TouchedDays } from '../activity/activity-writer.js';
import type { FactChange } from './fact-writer.js';

/** A record, and its index in the list that was put. */
export interface PlainItem {
  readonly index: number;
  readonly record: PlainRecord;
}

export interface PlainReport {
  /** The number of new or changed records. */
  readonly stored: number;
  readonly refused: readonly RefusedRecord[];
}

/** A new or changed record. */
export interface PlainChange {
  readonly record: PlainRecord;
  readonly stored: PlainRecord | null;
  /** The record with the statements of its sources. */
  readonly vouched: VouchedRecord;
}

/** Decides the changes of a batch. A record that was put counts as stored for the following ones. */
export class PlainBatch {
  readonly #current = new Map<string, VouchedRecord>();
  /** The records that readers show differently. */
  readonly #changed = new Set<string>();
  #storedCount = 0;

  /** @param stored the stored records, by {@link batchKey} */
  constructor(private readonly stored: ReadonlyMap<string, VouchedRecord>) {}

  /** Returns whether the record is accepted: see `withStatement`. */
  put(given: PlainRecord, options: Parameters<typeof withStatement>[2]): boolean {
    const key = batchKey(given);
    const current = this.#current.get(key) ?? this.stored.get(key) ?? null;
    const vouched = withStatement(current, given, options);
    if (vouched !== null && this.#replace(key, current, vouched)) this.#storedCount += 1;
    return vouched !== null;
  }

  /** Withdraws a source from a stored record. Returns whether the record stays. */
  withdraw(stored: VouchedRecord, source: string | null): boolean {
    const rest = withoutStatement(stored, source);
    if (rest !== null && rest !== stored) this.#replace(batchKey(stored.record), stored, rest);
    return rest !== null;
  }

  /** How many records were new or changed. */
  get storedCount(): number {
    return this.#storedCount;
  }

  /** The records that readers show differently. */
  get changes(): readonly PlainChange[] {
    return this.#changes(true);
  }

  /** The records of which only the sources have changed. */
  get revouched(): readonly VouchedRecord[] {
    return this.#changes(false).map(({ vouched }) => vouched);
  }

  #changes(areShown: boolean): readonly PlainChange[] {
    const keys = [...this.#current.keys()].filter((key) => this.#changed.has(key) === areShown);
    return keys.flatMap((key) => {
      const vouched = this.#current.get(key);
      return vouched === undefined ? [] : [{ record: vouched.record, stored: this.stored.get(key)?.record ?? null, vouched }];
    });
  }

  /** Returns whether readers show the new version differently. */
  #replace(key: string, current: VouchedRecord | null, vouched: VouchedRecord): boolean {
    const isSame = current !== null && sameValue(vouched.record, current.record);
    if (isSame && sameVouchers(vouched, current)) return false;
    this.#current.set(key, vouched);
    if (!isSame) this.#changed.add(key);
    return !isSame;
  }
}

export function batchKey(identity: PlainIdentity): string {
  return `${identity.kind} ${keyOfIdentity(identity)}`;
}

/** A new or changed record, or a removed one, whose two versions are the same. */
export type StoredChange = Pick<PlainChange, 'record' | 'stored'>;

/** What must be derived again for each repository. */
export function factChanges(changes: readonly StoredChange[]): ReadonlyMap<RepositoryRef, FactChange> {
  const byRef = new Map<RepositoryRef, { added: (Commit | Release)[]; isOther: boolean }>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release' && record.kind !== 'repository') continue;
    const known = byRef.get(record.repositoryRef) ?? { added: [], isOther: false };
    byRef.set(record.repositoryRef, known);
    if (stored === null && record.kind !== 'repository') known.added.push(record);
    else known.isOther = true;
  }
  return byRef;
}

/** The days of the old and the new version of each commit and release. */
export function touchedDays(changes: readonly StoredChange[]): TouchedDays {
  const touched = new Map<RepositoryRef, Set<Instant>>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release') continue;
    const days = touched.get(record.repositoryRef) ?? new Set();
    for (const version of [record, stored]) if (version?.kind === record.kind) days.add(startOfDay(timeOf(version)));
    touched.set(record.repositoryRef, days);
  }
  return touched;
}

/** The repositories of invalid documents, as far as these documents count. */
export function countedRefs(kind: PlainRecord['kind'], documents: readonly Document[]): ReadonlySet<RepositoryRef> {
  const refs = documents.map((document): unknown => document['repositoryRef']);
  return new Set(
    kind === 'commit' || kind === 'release' ? refs.filter((ref): ref is RepositoryRef => typeof ref === 'string' && isRepositoryRef(ref)) : [],
  );
}
