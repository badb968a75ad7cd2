import {
  type CallContext,
  type Clock,
  FACTS,
  fieldsWhere,
  type GivenRecord,
  grouped,
  isRepositoryRef,
  keyOfIdentity,
  type PlainIdentity,
  type PlainRecord,
  type PutContext,
  type RefusedRecord,
  type RepositoryRef,
  sameValue,
  sameVouchers,
  type VouchedRecord,
  withoutStatement,
  withStatement,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { countActivity } from '../activity/activity.js';
import { VOUCHERS } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { DOCUMENTS, specOf, vouchedDocument, vouchedOf, vouchersField } from '../documents/documents.js';
import { FactWriter } from '../documents/repository-facts.js';
import { type Commits, insertion, removal, replacement, type Transaction, type Write } from './commits.js';

const WITHDRAWN_AT_ONCE = 1_000;

export interface WriteReport {
  readonly stored: number;
  readonly refused: readonly RefusedRecord[];
}

/** Writes all records except checks. Each call is one transaction, also with the facts and the counts that are derived from the records. */
export class PlainRecordWriter {
  readonly #facts: FactWriter;

  constructor(
    private readonly commits: Commits,
    clock: Clock,
  ) {
    this.#facts = new FactWriter(commits, clock);
  }

  /** Derives what another collector has marked. */
  settle(): Promise<void> {
    return this.#facts.derive('marked');
  }

  put(items: readonly GivenRecord<PlainRecord>[], { source = null, filledAt }: PutContext): Promise<WriteReport> {
    return this.commits.commit(async (transaction) => {
      const batch = await PlainBatch.of(
        transaction,
        items.map(({ record }) => record),
      );
      const refused = items.filter(({ record }) => !batch.put(record, { source, filledAt }));
      await this.#store(transaction, batch);
      return { stored: batch.storedCount, refused: refused.map(({ index }) => ({ index, reason: 'unknown-commit' })) };
    });
  }

  /** Resolves with the number of records that existed, and no longer do. */
  remove(identities: readonly PlainIdentity[], { source = null }: CallContext): Promise<number> {
    return this.commits.commit(async (transaction) => this.#withdraw(transaction, await PlainBatch.of(transaction, identities), source));
  }

  /** Withdraws a source from some of its records. Resolves with the number of records that were removed; `null` if the source has no more records. */
  withdrawNext(source: string): Promise<number | null> {
    return this.commits.commit(async (transaction) => {
      for (const { kind, collection } of Object.values(DOCUMENTS)) {
        const found = await transaction.find(collection, { [`${VOUCHERS}.source`]: source }, { limit: WITHDRAWN_AT_ONCE });
        if (found.length === 0) continue;
        const batch = new PlainBatch();
        batch.add(kind, found);
        return this.#withdraw(transaction, batch, source);
      }
      return null;
    });
  }

  #withdraw(transaction: Transaction, batch: PlainBatch, source: string | null): Promise<number> {
    batch.withdraw(source);
    return this.#store(transaction, batch);
  }

  /** Resolves with the number of removed documents. */
  async #store(transaction: Transaction, batch: PlainBatch): Promise<number> {
    const changes = batch.changes();
    for (const [kind, own] of grouped(changes, ({ kind }) => kind)) await transaction.write(specOf(kind).collection, own.map(writeOf));
    const shown = changes.filter(({ onlyVouches }) => !onlyVouches);
    if (shown.length === 0) return 0;
    await countActivity(transaction, shown, batch.damaged);
    await this.#facts.store(transaction, [...refsOf(shown), ...batch.damaged]);
    return shown.filter(({ after }) => after === null).length;
  }
}

function writeOf({ id, isStored, after, onlyVouches }: StoredChange): Write {
  if (after === null) return removal(id);
  if (onlyVouches) return { updateOne: { filter: { _id: id }, update: { $set: vouchersField(after) } } };
  if (after.record.kind === 'repository') return repositoryWrite(after);
  // To insert a document is much cheaper than to look for it first.
  return isStored ? replacement(vouchedDocument(after)) : insertion(vouchedDocument(after));
}

/** A field that no source states any more is removed, because only the facts may stay. */
const OPTIONAL_FIELDS = fieldsWhere(FACTS.repository, ({ optional }) => optional === true);

/** Keeps the stored facts of a repository. */
function repositoryWrite(vouched: VouchedRecord): Write {
  const { _id, ...fields } = vouchedDocument(vouched);
  const absent = OPTIONAL_FIELDS.filter((name) => !Object.hasOwn(fields, name));
  const $unset = absent.length === 0 ? {} : { $unset: Object.fromEntries(absent.map((name) => [name, 1 as const])) };
  return { updateOne: { filter: { _id }, update: { $set: fields, ...$unset }, upsert: true } };
}

function refsOf(changes: readonly StoredChange[]): readonly RepositoryRef[] {
  const records = changes.flatMap(({ before, after }) => (after ?? before)?.record ?? []);
  return records.flatMap((record) =>
    record.kind === 'commit' || record.kind === 'release' || record.kind === 'repository' ? [record.repositoryRef] : [],
  );
}

/** One document of a batch. */
interface BatchDocument {
  readonly kind: PlainRecord['kind'];
  readonly id: string;
  /** Whether the document is stored. One that cannot be decoded counts as a missing record, and is overwritten. */
  readonly isStored: boolean;
  readonly before: VouchedRecord | null;
  /** `null`: the document is removed; absent: it stays as it is. */
  after?: VouchedRecord | null;
}

interface StoredChange extends Required<BatchDocument> {
  /** Whether the record stays the same, and its sources change. */
  readonly onlyVouches: boolean;
}

/** Decides the changes of a batch. A record that was put counts as stored for the following ones. */
class PlainBatch {
  /** How many records were new or changed. */
  storedCount = 0;
  /** The repositories of commits and releases whose document cannot be decoded: on which day they count is not known. */
  readonly damaged = new Set<RepositoryRef>();
  readonly #documents = new Map<string, BatchDocument>();

  /** A batch that knows what is stored of these records. */
  static async of(transaction: Transaction, identities: readonly PlainIdentity[]): Promise<PlainBatch> {
    const batch = new PlainBatch();
    for (const [kind, own] of grouped(identities, ({ kind }) => kind)) {
      const ids = [...new Set(own.map(keyOfIdentity))];
      batch.add(kind, await transaction.find(specOf(kind).collection, { _id: { $in: ids } }));
    }
    return batch;
  }

  add(kind: PlainRecord['kind'], documents: readonly Document[]): void {
    for (const document of documents) {
      const [id, ref] = [String(document['_id']), document['repositoryRef'] as unknown];
      const vouched = vouchedOf(kind, document);
      const isDamaged = vouched instanceof BadValue;
      this.#documents.set(`${kind} ${id}`, { kind, id, isStored: true, before: isDamaged ? null : vouched });
      if (isDamaged && (kind === 'commit' || kind === 'release') && isRepositoryRef(ref)) this.damaged.add(ref);
    }
  }

  /** Returns whether the record is accepted: see `withStatement`. */
  put(given: PlainRecord, options: Parameters<typeof withStatement>[2]): boolean {
    const [kind, id] = [given.kind, keyOfIdentity(given)];
    const document = this.#documents.get(`${kind} ${id}`) ?? { kind, id, isStored: false, before: null };
    const current = document.after ?? document.before;
    const vouched = withStatement(current, given, options);
    if (vouched === null) return false;
    if (!sameValue(vouched.record, current?.record)) this.storedCount += 1;
    this.#documents.set(`${kind} ${id}`, { ...document, after: vouched });
    return true;
  }

  /** Withdraws a source from all stored records; `null` withdraws all sources. Documents that cannot be decoded are removed. */
  withdraw(source: string | null): void {
    for (const document of this.#documents.values()) document.after = document.before && withoutStatement(document.before, source);
  }

  changes(): readonly StoredChange[] {
    return [...this.#documents.values()].flatMap(({ after, ...document }) => {
      if (after === undefined) return [];
      const { before } = document;
      const onlyVouches = before !== null && after !== null && sameValue(after.record, before.record);
      return onlyVouches && sameVouchers(after, before) ? [] : [{ ...document, after, onlyVouches }];
    });
  }
}
