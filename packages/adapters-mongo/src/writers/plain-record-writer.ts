import {
  FACTS,
  fieldsWhere,
  grouped,
  type CallContext,
  type Clock,
  type GivenRecord,
  type PlainIdentity,
  type PlainRecord,
  type PutContext,
  type RefusedRecord,
  type RepositoryRef,
  type VouchedRecord,
} from '@vitrine/core';
import { countActivity } from '../activity/activity-writer.js';
import { VOUCHERS } from '../collections.js';
import { DOCUMENTS, specOf, vouchedDocument, vouchersField } from '../documents/documents.js';
import { insertion, removal, replacement, type Commits, type Transaction, type Write } from './commits.js';
import { FactWriter } from './fact-writer.js';
import { isVouching, PlainBatch, type StoredChange } from './plain-batch.js';

/** How many records a source is withdrawn from at once. */
const WITHDRAWN_AT_ONCE = 1_000;

export interface WriteReport {
  /** The number of new or changed records. */
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

  /** Derives the facts of repositories that another collector has marked. */
  settle(): Promise<void> {
    return this.#facts.settle();
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
        if (found.documents.length === 0) continue;
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
    const shown = changes.filter((change) => !isVouching(change));
    if (shown.length === 0) return 0;
    await countActivity(transaction, shown, batch.damaged);
    await this.#facts.store(transaction, [...refsOf(shown), ...batch.damaged]);
    return shown.filter(({ after }) => after === null).length;
  }
}

function writeOf(change: StoredChange): Write {
  const { id, isStored, after } = change;
  if (after === null) return removal(id);
  if (isVouching(change)) return { updateOne: { filter: { _id: id }, update: { $set: vouchersField(after) } } };
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

/** The repositories whose facts may change. */
function refsOf(changes: readonly StoredChange[]): readonly RepositoryRef[] {
  const records = changes.flatMap(({ before, after }) => (after ?? before)?.record ?? []);
  return records.flatMap((record) =>
    record.kind === 'commit' || record.kind === 'release' || record.kind === 'repository' ? [record.repositoryRef] : [],
  );
}
