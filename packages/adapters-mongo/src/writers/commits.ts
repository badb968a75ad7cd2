import type { AnyBulkWriteOperation, BulkWriteResult, ClientSession, Collection, Document, Filter, UpdateFilter, UpdateOptions } from 'mongodb';
import type { CollectionName, Collections } from '../collections.js';
import type { Lease } from '../connection/held-lease.js';
import type { StoredDocument } from '../documents/document-spec.js';

export type Write = AnyBulkWriteOperation<StoredDocument>;
type Change = UpdateFilter<StoredDocument> | Document[];

/** A collection as one commit writes to it. */
export type Into = (name: CollectionName) => IntoCollection;

/**
 * The only way by which writers write. What one commit writes takes place together, and only while this process has the lease: a writer that was
 * stopped for longer than that changes nothing when it goes on.
 */
export class Commits {
  readonly #collections: Collections;
  readonly #lease: Lease | null;

  /** @param lease `null`: nobody else can write, as in a test */
  constructor(collections: Collections, lease: Lease | null) {
    this.#collections = collections;
    this.#lease = lease;
  }

  /** @param write may be run again when it did not take place; one commit must not be made inside another */
  commit<Result>(write: (into: Into) => Promise<Result>): Promise<Result> {
    const run = (session: ClientSession | null) => write((name) => new IntoCollection(this.#collections.writable(name), session));
    return this.#lease === null ? run(null) : this.#lease.commit(run);
  }

  /** One bulk of one collection. */
  async write(name: CollectionName, operations: readonly Write[]): Promise<void> {
    if (operations.length > 0) await this.commit((into) => into(name).write(operations));
  }
}

/** No operation is without the session, and what is done at once is in no order. */
class IntoCollection {
  readonly #collection: Collection<StoredDocument>;
  readonly #session: { readonly session?: ClientSession };

  constructor(collection: Collection<StoredDocument>, session: ClientSession | null) {
    this.#collection = collection;
    this.#session = session === null ? {} : { session };
  }

  write(operations: readonly Write[]): Promise<BulkWriteResult> {
    return this.#collection.bulkWrite([...operations], { ordered: false, ...this.#session });
  }

  async insert(documents: readonly StoredDocument[]): Promise<void> {
    await this.#collection.insertMany([...documents], { ordered: false, ...this.#session });
  }

  /** Resolves with whether a document fits. */
  async update(filter: Filter<StoredDocument>, change: Change, options: UpdateOptions = {}): Promise<boolean> {
    return (await this.#collection.updateOne(filter, change, { ...options, ...this.#session })).matchedCount === 1;
  }

  async updateAll(filter: Filter<StoredDocument>, change: Change): Promise<void> {
    await this.#collection.updateMany(filter, change, this.#session);
  }

  /** Resolves with the document as it was before; `null` when it is new. */
  upsert(filter: Filter<StoredDocument>, change: Document[]): Promise<Document | null> {
    return this.#collection.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'before', ...this.#session });
  }

  /** Resolves with how many there were. */
  async remove(filter: Filter<StoredDocument>): Promise<number> {
    return (await this.#collection.deleteMany(filter, this.#session)).deletedCount;
  }
}
