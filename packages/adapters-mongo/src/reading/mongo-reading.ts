import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quotable, UnavailableError } from '@vitrine/core';
import type { ApprovedRepositories, Clock, PlainRecord, QuarantineMonitor, ReadContext, RecordKind, ScopeRef } from '@vitrine/core';
import { type Abortable, type AggregateOptions, BSON, type ClientSession, type Document, type Filter, type FindOptions, MongoError } from 'mongodb';
import type { ToldTime } from '../changes/mongo-change-feed.js';
import type { CollectionName, Collections, ReadCollection } from '../collections.js';
import { isLostConnection } from '../connection/mongo-store-error.js';
import { BadValue, damagedDocument, type StoredDocument } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/documents.js';

export class MongoReading {
  constructor(
    readonly collections: Collections,
    readonly clock: Clock,
    readonly monitor: QuarantineMonitor,
    readonly maxTimeMs: number,
    readonly told: ToldTime | null = null,
  ) {}

  run<Result>(context: ReadContext, operation: (options: OperationOptions) => Promise<Result>): Promise<Result> {
    const { told, collections } = this;
    if (told === null) return readFrom(context, this.maxTimeMs, operation);
    return readFrom(context, this.maxTimeMs, (options) => told.run(collections.client, (after) => operation({ ...options, ...after })));
  }

  find(name: CollectionName, filter: Filter<StoredDocument>, own: FindDocumentsOptions, context: ReadContext): Promise<Document[]> {
    return this.run(context, (options) => findDocuments(this.collections.of(name), filter, { ...options, ...own }));
  }

  aggregate(name: CollectionName, pipeline: Document[], context: ReadContext): Promise<Document[]> {
    return this.run(context, (options) => aggregateDocuments(this.collections.of(name), pipeline, options));
  }

  decoded<Value>(kind: RecordKind, found: readonly Document[], decode: (document: Document) => Value | BadValue): Value[] {
    return found.flatMap((document) => {
      const meaning = decode(document);
      if (!(meaning instanceof BadValue)) return [meaning];
      this.monitor.quarantined(kind, idText(document, meaning), meaning.toString());
      return [];
    });
  }

  records<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: readonly Document[]): Record[] {
    return this.decoded(spec.kind, found, (document) => spec.toRecord(document));
  }
}

export interface OperationOptions {
  readonly signal: AbortSignal;
  /** The server aborts the operation after this time, even if the process can no longer cancel it. */
  readonly maxTimeMS: number;
  /** Makes the operation wait for changes that were told. */
  readonly session?: ClientSession;
}

/** Runs an operation, and retries it once if it could not even be sent: the driver retries those that were sent. Rejects with an `UnavailableError` if the store cannot be read. */
export function readFrom<Result>(
  { signal }: ReadContext,
  maxTimeMS: number,
  operation: (options: OperationOptions) => Promise<Result>,
): Promise<Result> {
  return inUnavailableErrors(async () => {
    for (let isRetry = false; ; isRetry = true) {
      signal.throwIfAborted();
      // The driver adds listeners for each operation, and one request runs many. Without this, Node warns of a memory leak.
      setMaxListeners(0, signal);
      try {
        return await operation({ signal, maxTimeMS });
      } catch (error) {
        signal.throwIfAborted();
        if (isRetry || !isLostConnection(error)) throw error;
      }
      // Connections are often lost at the same time. After a whole turn of the event loop, the driver has noticed all lost ones and takes a new one.
      await nextTurn();
      await nextTurn();
    }
  });
}

/** Turns every error of the driver or its connections into an `UnavailableError`, with that error as its cause. */
export async function inUnavailableErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MongoError) && !isLostConnection(error)) throw error;
    throw Object.assign(new UnavailableError('The database cannot be reached or did not answer in time.'), { cause: error });
  }
}

/** A collection of records that belong to repositories. Every query contains the approved set, and no caller can leave it out. */
export class ScopedCollection {
  constructor(private readonly collection: ReadCollection) {}

  /** @param among the scopes to read; those that are not approved are ignored */
  find(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    options: FindDocumentsOptions,
    among?: readonly ScopeRef[],
  ): Promise<Document[]> {
    const scopes = among === undefined ? approved.scopes : admittedOf(approved, among);
    return findDocuments(this.collection, { ...filter, repositoryRef: oneOf(scopes) }, options);
  }

  /** Applies the stages of a pipeline to the documents that match a filter. @param among as for {@link find} */
  aggregate(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    stages: readonly Document[],
    options: AggregateOptions & Abortable,
    among: readonly ScopeRef[],
  ): Promise<Document[]> {
    const scopes = admittedOf(approved, among);
    return aggregateDocuments(this.collection, [{ $match: { ...filter, repositoryRef: oneOf(scopes) } }, ...stages], options);
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

/** More documents than any page has, so that the first response contains all of them if they fit into one message. */
const WHOLE_ANSWER = 1_000_000;

export function findDocuments(collection: ReadCollection, filter: Filter<StoredDocument>, options: FindDocumentsOptions = {}): Promise<Document[]> {
  return allOf((form) => collection.find(filter, { ...options, ...form }));
}

export function aggregateDocuments(collection: ReadCollection, pipeline: Document[], options: AggregateOptions & Abortable): Promise<Document[]> {
  return allOf((form) => collection.aggregate(pipeline, { ...options, ...form }));
}

/** If one document has damaged bytes, the driver rejects the whole batch. Then the documents are read again one by one. */
async function allOf(read: (form: { readonly batchSize: number; readonly raw?: true }) => { toArray(): Promise<Document[]> }): Promise<Document[]> {
  try {
    return await read({ batchSize: WHOLE_ANSWER }).toArray();
  } catch (error) {
    if (!BSON.BSONError.isBSONError(error)) throw error;
    return ((await read({ batchSize: WHOLE_ANSWER, raw: true }).toArray()) as Uint8Array[]).map(documentOf);
  }
}

function documentOf(bytes: Uint8Array): Document {
  try {
    return BSON.deserialize(bytes);
  } catch {
    return damagedDocument(BSON.deserialize(bytes, { validation: { utf8: false } }));
  }
}

/** Where the next documents begin; `null` if there are none, or if the id is not a string. */
export function lastIdOf(documents: readonly Document[]): string | null {
  const id: unknown = documents.at(-1)?.['_id'];
  return typeof id === 'string' ? id : null;
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };

/** What can be decoded, without a report. */
export function valid<Meaning>(documents: readonly Document[], decode: (document: Document) => Meaning | BadValue): Meaning[] {
  return documents.flatMap((document) => {
    const meaning = decode(document);
    return meaning instanceof BadValue ? [] : [meaning];
  });
}

/** A stored id as text for the log. The id of another repository's record is not shown, because it would reveal that repository. */
function idText({ _id: id, repositoryRef }: Document, { reason }: BadValue): string {
  if (reason === 'foreign-id') return `one of ${quotable(String(repositoryRef))}`;
  return quotable(typeof id === 'string' ? id : JSON.stringify(id));
}
