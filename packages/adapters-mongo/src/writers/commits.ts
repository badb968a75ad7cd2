import {
  BSON,
  MongoBulkWriteError,
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type ClientSession,
  type Collection,
  type Document,
  type Filter,
  type UpdateFilter,
  type UpdateOptions,
} from 'mongodb';
import type { CollectionName, Collections } from '../collections.js';
import type { DatabaseLease } from '../connection/held-lease.js';
import type { StoredDocument } from '../documents/codec.js';
import { inParts } from '../reading/mongo-reading.js';

export type Write = AnyBulkWriteOperation<StoredDocument>;
type Change = UpdateFilter<StoredDocument> | Document[];

/** Returns a collection for the writes of one commit. */
type Into = (name: CollectionName) => IntoCollection;

/**
 * The only way to write. The writes of one commit succeed or fail together, and only while this process holds the lease. So a writer that was
 * paused for longer than its lease changes nothing when it continues.
 */
export class Commits {
  /** @param lease `null` if no other process can write, as in a test */
  constructor(
    private readonly collections: Collections,
    private readonly lease: DatabaseLease | null,
  ) {}

  /** @param write may run several times until the commit succeeds; do not start a commit inside another */
  commit<Result>(write: (into: Into) => Promise<Result>): Promise<Result> {
    const run = (session: ClientSession | null) => write((name) => new IntoCollection(this.collections.writable(name), session));
    return this.lease === null ? run(null) : this.lease.commit(run);
  }

  /** Writes one bulk to one collection. */
  async write(name: CollectionName, operations: readonly Write[]): Promise<void> {
    if (operations.length > 0) await this.commit((into) => into(name).write(operations));
  }
}

/** Every operation uses the session. A bulk is unordered. */
class IntoCollection {
  readonly #session: { readonly session?: ClientSession };

  constructor(
    private readonly collection: Collection<StoredDocument>,
    session: ClientSession | null,
  ) {
    this.#session = session === null ? {} : { session };
  }

  write(operations: readonly Write[]): Promise<BulkWriteResult> {
    return this.collection.bulkWrite([...operations], { ordered: false, ...this.#session });
  }

  async insert(documents: readonly StoredDocument[]): Promise<void> {
    await this.collection.insertMany([...documents], { ordered: false, ...this.#session });
  }

  /** Resolves with whether a document matched. */
  async update(filter: Filter<StoredDocument>, change: Change, options: UpdateOptions = {}): Promise<boolean> {
    return (await this.collection.updateOne(filter, change, { ...options, ...this.#session })).matchedCount === 1;
  }

  async updateAll(filter: Filter<StoredDocument>, change: Change): Promise<void> {
    await this.collection.updateMany(filter, change, this.#session);
  }

  /** Resolves with the previous document; `null` if it is new. */
  upsert(filter: Filter<StoredDocument>, change: Document[]): Promise<Document | null> {
    return this.collection.findOneAndUpdate(filter, change, { upsert: true, returnDocument: 'before', ...this.#session });
  }

  /** Resolves with the number of removed documents. */
  async remove(filter: Filter<StoredDocument>): Promise<number> {
    return (await this.collection.deleteMany(filter, this.#session)).deletedCount;
  }
}

/** A document with its stored version. */
export interface DocumentToStore {
  readonly document: StoredDocument;
  /** Whether the document probably does not exist yet. */
  readonly isNew: boolean;
}

/** How many documents are encoded at once. Nothing else runs in the process meanwhile. */
const PART_SIZE = 250;
/** A commit is complete at this size, so it exceeds it by at most one part. The server keeps the whole commit in memory until it succeeds. */
const FULL_COMMIT_BYTES = 8 * 1_024 * 1_024;
const DUPLICATE_KEY = 11_000;

/**
 * Stores documents in any order, and replaces existing ones. New documents are inserted, which is much cheaper than looking for existing ones
 * first. If some of them exist, for example because an earlier writer died, all documents are stored again as replacements.
 */
export async function storeDocuments(commits: Commits, documents: ReadonlyMap<CollectionName, readonly DocumentToStore[]>): Promise<void> {
  try {
    await storeAs(commits, documents, ({ document, isNew }) => (isNew ? insertion(document) : replacement(document)));
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
    await storeAs(commits, documents, ({ document }) => replacement(document));
  }
}

async function storeAs(
  commits: Commits,
  documents: ReadonlyMap<CollectionName, readonly DocumentToStore[]>,
  writeOf: (document: DocumentToStore) => Write,
): Promise<void> {
  for (const parts of inCommits(documents))
    await commits.commit(async (into) => {
      for (const { name, part } of parts) await into(name).write(part.map(writeOf));
    });
}

interface Part {
  readonly name: CollectionName;
  readonly part: readonly DocumentToStore[];
}

function* inCommits(documents: ReadonlyMap<CollectionName, readonly DocumentToStore[]>): Iterable<readonly Part[]> {
  let parts: Part[] = [];
  let bytes = 0;
  for (const [name, some] of documents)
    for (const part of inParts(some, PART_SIZE)) {
      parts.push({ name, part });
      bytes = part.reduce((sum, { document }) => sum + BSON.calculateObjectSize(document), bytes);
      if (bytes < FULL_COMMIT_BYTES) continue;
      yield parts;
      [parts, bytes] = [[], 0];
    }
  if (parts.length > 0) yield parts;
}

function insertion(document: StoredDocument): Write {
  return { insertOne: { document } };
}

function replacement({ _id, ...replacement }: StoredDocument): Write {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}
