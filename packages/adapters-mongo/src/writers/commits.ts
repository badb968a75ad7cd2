import type { AnyBulkWriteOperation, BulkWriteResult, ClientSession, Collection, Document, Filter, UpdateFilter, UpdateOptions } from 'mongodb';
import type { CollectionName, Collections } from '../collections.js';
import type { Lease } from '../connection/held-lease.js';
import type { StoredDocument } from '../documents/document-spec.js';

export type Write = AnyBulkWriteOperation<StoredDocument>;
type Change = UpdateFilter<StoredDocument> | Document[];

/** Returns a collection for the writes of one commit. */
export type Into = (name: CollectionName) => IntoCollection;

/**
 * The only way to write. The writes of one commit succeed or fail together, and only while this process holds the lease. So a writer that was
 * paused for longer than its lease changes nothing when it continues.
 */
export class Commits {
  readonly #collections: Collections;
  readonly #lease: Lease | null;

  /** @param lease `null` if no other process can write, as in a test */
  constructor(collections: Collections, lease: Lease | null) {
    this.#collections = collections;
    this.#lease = lease;
  }

  /** @param write may run several times until the commit succeeds; do not start a commit inside another */
  commit<Result>(write: (into: Into) => Promise<Result>): Promise<Result> {
    const run = (session: ClientSession | null) => write((name) => new IntoCollection(this.#collections.writable(name), session));
    return this.#lease === null ? run(null) : this.#lease.commit(run);
  }

  /** Writes one bulk to one collection. */
  async write(name: CollectionName, operations: readonly Write[]): Promise<void> {
    if (operations.length > 0) await this.commit((into) => into(name).write(operations));
  }
}

/** Every operation uses the session. A bulk is unordered. */
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

  /** Resolves with whether a document matched. */
  async update(filter: Filter<StoredDocument>, change: Change, options: UpdateOptions = {}): Promise<boolean> {
    return (await this.#collection.updateOne(filter, change, { ...options, ...this.#session })).matchedCount === 1;
  }

  async updateAll(filter: Filter<StoredDocument>, change: Change): Promise<void> {
    await this.#collection.updateMany(filter, change, this.#session);
  }

  /** Resolves with the previous document; `null` if it is new. */
  upsert(filter: Filter<StoredDocument>, change: Document[]): Promise<Document | null> {
    return this.#collection.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'before', ...this.#session });
  }

  /** Resolves with the number of removed documents. */
  async remove(filter: Filter<StoredDocument>): Promise<number> {
    return (await this.#collection.deleteMany(filter, this.#session)).deletedCount;
  }
}
