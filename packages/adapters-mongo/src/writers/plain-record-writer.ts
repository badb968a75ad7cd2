import { FACTS, fieldsWhere, grouped, isRepositoryRef, keyOfIdentity, touchedRepositories, VouchedBatch } from '@vitrine/core';
import type {
  CallContext,
  Clock,
  FoundVersion,
  GivenRecord,
  PlainIdentity,
  PlainRecord,
  PutContext,
  RecordChange,
  RefusedRecord,
  RepositoryRef,
  VouchedRecord,
} from '@vitrine/core';
import type { Document } from 'mongodb';
import { countActivity } from '../activity/activity.js';
import { VOUCHERS } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { DOCUMENTS, specOf, vouchedDocument, vouchedOf, vouchersField } from '../documents/documents.js';
import { deriveFacts, storeFacts } from '../documents/repository-facts.js';
import { type Commits, insertion, removal, replacement, type Transaction, type Write } from './commits.js';

const WITHDRAWN_AT_ONCE = 1_000;

export interface WriteReport {
  readonly stored: number;
  readonly refused: readonly RefusedRecord[];
}

/** Writes all records except checks. Each call is one transaction, also with the facts and the counts that are derived from the records. */
export class PlainRecordWriter {
  constructor(
    private readonly commits: Commits,
    private readonly clock: Clock,
  ) {}

  /** Derives what another collector has marked. */
  settle(): Promise<void> {
    return deriveFacts(this.commits, this.clock, 'marked');
  }

  put(items: readonly GivenRecord<PlainRecord>[], { source = null, filledAt }: PutContext): Promise<WriteReport> {
    return this.commits.commit(async (transaction) => {
      const records = items.map(({ record }) => record);
      const batch = await batchOf(transaction, records);
      const results = records.map((record) => batch.put(record, { source, filledAt }));
      await this.#store(transaction, batch);
      const refused = items.filter((_, index) => results[index] === 'unknown-commit');
      const stored = results.filter((result) => result === 'stored').length;
      return { stored, refused: refused.map(({ index }) => ({ index, reason: 'unknown-commit' })) };
    });
  }

  /** Resolves with the number of records that existed, and no longer do. */
  remove(identities: readonly PlainIdentity[], { source = null }: CallContext): Promise<number> {
    return this.commits.commit(async (transaction) => {
      const batch = await batchOf(transaction, identities);
      for (const identity of identities) batch.remove(identity.kind, keyOfIdentity(identity), source);
      return this.#store(transaction, batch);
    });
  }

  /** Withdraws a source from some of its records. Resolves with the number of records that were removed; `null` if the source has no more records. */
  withdrawNext(source: string): Promise<number | null> {
    return this.commits.commit(async (transaction) => {
      for (const { kind, collection } of Object.values(DOCUMENTS)) {
        const found = await transaction.find(collection, { [`${VOUCHERS}.source`]: source }, { limit: WITHDRAWN_AT_ONCE });
        if (found.length === 0) continue;
        const batch: Batch = new VouchedBatch<FoundDocument>(() => null);
        for (const document of found) batch.remove(kind, String(document['_id']), source, foundIn(kind, document));
        return this.#store(transaction, batch);
      }
      return null;
    });
  }

  /** Resolves with the number of removed documents. */
  async #store(transaction: Transaction, batch: Batch): Promise<number> {
    const changes = batch.changes();
    for (const [kind, own] of grouped(changes, ({ kind }) => kind)) await transaction.write(specOf(kind).collection, own.map(writeOf));
    const shown = changes.filter(({ onlyVouches }) => !onlyVouches);
    if (shown.length === 0) return 0;
    const damaged = new Set(shown.flatMap(({ found }) => found?.damaged ?? []));
    await countActivity(transaction, shown, damaged);
    await storeFacts(transaction, this.clock, [...touchedRepositories(shown), ...damaged]);
    return shown.filter(({ after }) => after === null).length;
  }
}

function writeOf({ key, found, after, onlyVouches }: StoredChange): Write {
  if (after === null) return removal(key);
  if (onlyVouches) return { updateOne: { filter: { _id: key }, update: { $set: vouchersField(after) } } };
  if (after.record.kind === 'repository') return repositoryWrite(after);
  // To insert a document is much cheaper than to look for it first.
  return found !== null ? replacement(vouchedDocument(after)) : insertion(vouchedDocument(after));
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

interface FoundDocument extends FoundVersion {
  /** The repository of a commit or release that cannot be decoded: on which day it counts is not known. */
  readonly damaged: RepositoryRef | null;
}

type Batch = VouchedBatch<FoundDocument>;
type StoredChange = RecordChange<FoundDocument>;

/** A batch that knows what is stored of these records. */
async function batchOf(transaction: Transaction, identities: readonly PlainIdentity[]): Promise<Batch> {
  const found = new Map<string, FoundDocument>();
  for (const [kind, own] of grouped(identities, (identity) => identity.kind)) {
    const ids = [...new Set(own.map(keyOfIdentity))];
    for (const document of await transaction.find(specOf(kind).collection, { _id: { $in: ids } }))
      found.set(`${kind} ${String(document['_id'])}`, foundIn(kind, document));
  }
  return new VouchedBatch<FoundDocument>((kind, key) => found.get(`${kind} ${key}`) ?? null);
}

function foundIn(kind: PlainRecord['kind'], document: Document): FoundDocument {
  const [vouched, ref] = [vouchedOf(kind, document), document['repositoryRef'] as unknown];
  if (!(vouched instanceof BadValue)) return { stored: vouched, damaged: null };
  return { stored: null, damaged: (kind === 'commit' || kind === 'release') && isRepositoryRef(ref) ? ref : null };
}
