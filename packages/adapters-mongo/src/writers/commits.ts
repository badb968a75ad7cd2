import type { AggregateOptions, AnyBulkWriteOperation, ClientSession, Document, Filter } from 'mongodb';
import type { CollectionName, Collections } from '../collections.js';
import { type DatabaseLease, inTransaction } from '../connection/lease.js';
import type { StoredDocument } from '../documents/codec.js';
import { aggregateDocuments, findDocuments, type FindDocumentsOptions } from '../reading/mongo-reading.js';

export type Write = AnyBulkWriteOperation<StoredDocument>;

/** The only way to write. A commit is stored as a whole or not at all, and only while this process holds the lease, so a writer that was paused for too long changes nothing. */
export class Commits {
  /** @param lease `null` if no other process can write, as in a test */
  constructor(
    private readonly collections: Collections,
    private readonly lease: DatabaseLease | null,
  ) {}

  /** @param work may run several times until the commit succeeds; do not start a commit inside another */
  commit<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const run = (session: ClientSession) => work(new Transaction(this.collections, session));
    if (this.lease !== null) return this.lease.commit(run);
    return this.collections.withSession((session) => inTransaction(session, () => run(session)));
  }
}

/** The reads and writes of one commit. Call one method after the other: a session runs one operation at a time. */
export class Transaction {
  constructor(
    private readonly collections: Collections,
    private readonly session: ClientSession,
  ) {}

  find(name: CollectionName, filter: Filter<StoredDocument>, options: FindDocumentsOptions = {}): Promise<Document[]> {
    return findDocuments(this.collections.of(name), filter, { ...options, session: this.session });
  }

  aggregate(name: CollectionName, pipeline: Document[], options: AggregateOptions = {}): Promise<Document[]> {
    return aggregateDocuments(this.collections.of(name), pipeline, { ...options, session: this.session });
  }

  /** Writes in any order. Resolves with the number of changed documents. */
  async write(name: CollectionName, operations: readonly Write[]): Promise<number> {
    if (operations.length === 0) return 0;
    const written = await this.collections.writable(name).bulkWrite([...operations], { ordered: false, session: this.session });
    return written.modifiedCount;
  }
}

/** Replaces a document, or inserts it if there is none. */
export function replacement(document: StoredDocument): Write {
  return { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } };
}

export function insertion(document: StoredDocument): Write {
  return { insertOne: { document } };
}

export function removal(_id: string): Write {
  return { deleteOne: { filter: { _id } } };
}
