import type { ApprovedRepositories, ScopeRef } from '@vitrine/core';
import {
  BSON,
  MongoError,
  MongoNetworkError,
  type Abortable,
  type AggregateOptions,
  type ClientSession,
  type Document,
  type Filter,
  type FindOptions,
} from 'mongodb';
import type { ReadCollection } from '../collections.js';
import type { StoredDocument } from '../documents/codec.js';

/** A collection of records that belong to repositories. Every query contains the approved set, and no caller can leave it out. */
export class ScopedCollection {
  readonly #collection: ReadCollection;

  constructor(collection: ReadCollection) {
    this.#collection = collection;
  }

  find(approved: ApprovedRepositories, filter: Filter<StoredDocument>, options: FindDocumentsOptions): Promise<FoundDocuments> {
    return findDocuments(this.#collection, { ...filter, repositoryRef: oneOf(approved.scopes) }, options);
  }

  /** The same, but returns bytes. @param among the scopes to read; those that are not approved are ignored */
  findBytes(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    options: FindBytesOptions,
    among?: readonly ScopeRef[],
  ): Promise<readonly Uint8Array[]> {
    const scopes = among === undefined ? approved.scopes : admittedOf(approved, among);
    return findBytes(this.#collection, { ...filter, repositoryRef: oneOf(scopes) }, options);
  }

  /** Applies the stages of a pipeline to the documents that match a filter. @param among as for {@link findBytes} */
  aggregate(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    stages: readonly Document[],
    options: AggregateOptions & Abortable,
    among: readonly ScopeRef[],
  ): Promise<FoundDocuments> {
    const scopes = admittedOf(approved, among);
    return aggregateDocuments(this.#collection, [{ $match: { ...filter, repositoryRef: oneOf(scopes) } }, ...stages], options);
  }
}

function admittedOf(approved: ApprovedRepositories, scopes: readonly ScopeRef[]): readonly ScopeRef[] {
  return scopes.filter((scope) => approved.admits(scope));
}

/** A single scope becomes an equality condition: an index that starts with it then needs no merge to be in order. */
function oneOf(scopes: readonly ScopeRef[]): ScopeRef | { readonly $in: ScopeRef[] } {
  const [only, ...others] = scopes;
  return only !== undefined && others.length === 0 ? only : { $in: [...scopes] };
}

export type FindDocumentsOptions = FindOptions & Abortable;

/** The options of {@link findBytes}, as the command has them. */
export interface FindBytesOptions extends Abortable {
  readonly limit?: number;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly projection?: Readonly<Record<string, 0 | 1>>;
  readonly hint?: Readonly<Record<string, 1 | -1>>;
  readonly maxTimeMS?: number;
  readonly session?: ClientSession;
}

/** The result of a query. */
export interface FoundDocuments {
  readonly documents: readonly Document[];
  /** The found documents with damaged bytes, such as invalid UTF-8. Of these only the position fields can be read. */
  readonly damaged: ReadonlySet<Document>;
}

const NONE_DAMAGED: ReadonlySet<Document> = new Set();
/** More documents than any page has, so that the first response contains all of them if they fit into one message. */
const WHOLE_ANSWER = 1_000_000;

/** If one document has damaged bytes, the driver rejects the whole batch. Then the documents are read again one by one. */
export async function findDocuments(
  collection: ReadCollection,
  filter: Filter<StoredDocument>,
  options: FindDocumentsOptions = {},
): Promise<FoundDocuments> {
  const whole = { ...options, batchSize: WHOLE_ANSWER };
  try {
    return { documents: await collection.find<Document>(filter, whole).toArray(), damaged: NONE_DAMAGED };
  } catch (error) {
    if (!BSON.BSONError.isBSONError(error)) throw error;
    return oneByOne(await collection.find<Uint8Array>(filter, { ...whole, raw: true }).toArray());
  }
}

const BATCH_SIZE = 1_000;

/** All documents that match a filter, in the order of their ids, so that each batch goes on where the one before ended. */
export async function* allDocuments(collection: ReadCollection, filter: Filter<StoredDocument>, signal: AbortSignal): AsyncIterable<FoundDocuments> {
  for (let last = ''; ;) {
    const found = await findDocuments(collection, { ...filter, _id: { $gt: last } }, { signal, limit: BATCH_SIZE, sort: { _id: 1 } });
    yield found;
    const id: unknown = found.documents.at(-1)?.['_id'];
    if (found.documents.length < BATCH_SIZE || typeof id !== 'string') return;
    last = id;
  }
}

/** The found documents as bytes stay bytes; everything else of the response is decoded. */
const AS_BYTES = { fieldsAsRaw: { firstBatch: true } } as const;

/** The part of a response to `find` that is read here. */
interface FindResponse {
  readonly cursor: { readonly id: number; readonly firstBatch: readonly Uint8Array[] };
}

/**
 * The same, but returns the stored bytes, for callers that cache decoded documents. It sends the command itself: a cursor of the driver takes a fifth of the time of a whole
 * page, and keeps its documents in memory until the next full garbage collection.
 */
export async function findBytes(
  collection: ReadCollection,
  filter: Filter<StoredDocument>,
  { signal, session, ...query }: FindBytesOptions,
): Promise<readonly Uint8Array[]> {
  const { collectionName, db, readConcern, readPreference } = collection;
  const command = {
    find: collectionName,
    filter,
    ...query,
    batchSize: WHOLE_ANSWER,
    ...(readConcern === undefined ? {} : { readConcern }),
  };
  const inSession = session === undefined ? {} : { session };
  const options = { ...AS_BYTES, ...inSession, ...(signal == null ? {} : { signal }), ...(readPreference === undefined ? {} : { readPreference }) };
  const { cursor } = (await retriedOnce(signal, () => db.command(command, options))) as FindResponse;
  if (cursor.id === 0) return cursor.firstBatch;
  // They do not fit into one message. The driver's cursor reads all of them.
  await db.command({ killCursors: collectionName, cursors: [cursor.id] }, options);
  return collection.find<Uint8Array>(filter, { ...query, ...inSession, signal, batchSize: WHOLE_ANSWER, raw: true }).toArray();
}

/** The same for the result of a pipeline. One command is enough if the result fits into one response. */
export async function aggregateDocuments(
  collection: ReadCollection,
  pipeline: Document[],
  options: AggregateOptions & Abortable,
): Promise<FoundDocuments> {
  const whole = { ...options, batchSize: WHOLE_ANSWER };
  try {
    return { documents: await collection.aggregate(pipeline, whole).toArray(), damaged: NONE_DAMAGED };
  } catch (error) {
    if (!BSON.BSONError.isBSONError(error)) throw error;
    return oneByOne(await collection.aggregate<Uint8Array>(pipeline, { ...whole, raw: true }).toArray());
  }
}

function oneByOne(buffers: readonly Uint8Array[]): FoundDocuments {
  const damaged = new Set<Document>();
  const documents = buffers.map((bytes) => {
    try {
      return BSON.deserialize(bytes);
    } catch {
      const document = lenient(bytes);
      damaged.add(document);
      return document;
    }
  });
  return { documents, damaged };
}

/** A document whose bytes may be damaged. Only its position fields can be read. */
export function lenient(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { validation: { utf8: false } });
}

/** The errors of a server after which a read is retried, from the specification "Retryable Reads" of MongoDB's drivers. */
const RETRYABLE_CODES: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/**
 * Runs a read, and runs it again if the connection fails or the server stops to be the primary. The driver does this for its own methods, but not for commands. After such an
 * error, the driver selects another server.
 */
export async function retriedOnce<Result>(signal: AbortSignal | undefined, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    signal?.throwIfAborted();
    return read();
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof MongoNetworkError || (error instanceof MongoError && RETRYABLE_CODES.has(error.code));
}
