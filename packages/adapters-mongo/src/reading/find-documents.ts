import { type ApprovedRepositories, type PlainRecord, type QuarantineMonitor, quotable, type RecordKind, type ScopeRef } from '@vitrine/core';
import { type Abortable, type AggregateOptions, BSON, type Document, type Filter, type FindOptions, MinKey } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import { BadValue, type StoredDocument } from '../documents/codec.js';
import type { DocumentSpec } from '../documents/documents.js';

/** A collection of records that belong to repositories. Every query contains the approved set, and no caller can leave it out. */
export class ScopedCollection {
  constructor(private readonly collection: ReadCollection) {}

  /** @param among the scopes to read; those that are not approved are ignored */
  find(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    options: FindDocumentsOptions,
    among?: readonly ScopeRef[],
  ): Promise<FoundDocuments> {
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
  ): Promise<FoundDocuments> {
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

/** The result of a query. */
export interface FoundDocuments {
  readonly documents: readonly Document[];
  /** The found documents with damaged bytes, such as invalid UTF-8. Of these only the position fields can be read. */
  readonly damaged: ReadonlySet<Document>;
}

const NONE_DAMAGED: ReadonlySet<Document> = new Set();
/** More documents than any page has, so that the first response contains all of them if they fit into one message. */
const WHOLE_ANSWER = 1_000_000;

export function findDocuments(
  collection: ReadCollection,
  filter: Filter<StoredDocument>,
  options: FindDocumentsOptions = {},
): Promise<FoundDocuments> {
  return allOf((form) => collection.find(filter, { ...options, ...form }));
}

/** The result of a pipeline. One command is enough if it fits into one response. */
export function aggregateDocuments(collection: ReadCollection, pipeline: Document[], options: AggregateOptions & Abortable): Promise<FoundDocuments> {
  return allOf((form) => collection.aggregate(pipeline, { ...options, ...form }));
}

/** If one document has damaged bytes, the driver rejects the whole batch. Then the documents are read again one by one. */
async function allOf(
  read: (form: { readonly batchSize: number; readonly raw?: true }) => { toArray(): Promise<Document[]> },
): Promise<FoundDocuments> {
  try {
    return { documents: await read({ batchSize: WHOLE_ANSWER }).toArray(), damaged: NONE_DAMAGED };
  } catch (error) {
    if (!BSON.BSONError.isBSONError(error)) throw error;
    return oneByOne((await read({ batchSize: WHOLE_ANSWER, raw: true }).toArray()) as Uint8Array[]);
  }
}

function oneByOne(buffers: readonly Uint8Array[]): FoundDocuments {
  const damaged = new Set<Document>();
  const documents = buffers.map((bytes) => {
    try {
      return BSON.deserialize(bytes);
    } catch {
      const document = BSON.deserialize(bytes, { validation: { utf8: false } });
      damaged.add(document);
      return document;
    }
  });
  return { documents, damaged };
}

/** Images are large. */
const BATCH_SIZES = { image: 16, other: 1_000 } as const;

/**
 * All documents that match a filter, in the order of their ids, so that each batch goes on where the one before ended. `$expr` also finds ids that are no
 * texts, which no list reads: so `store check` names them.
 */
export async function* allDocuments(
  collection: ReadCollection,
  kind: RecordKind,
  filter: Filter<StoredDocument>,
  signal: AbortSignal,
): AsyncIterable<FoundDocuments> {
  const limit = BATCH_SIZES[kind === 'image' ? kind : 'other'];
  for (let last: unknown = new MinKey(); ;) {
    const after = { $expr: { $gt: ['$_id', { $literal: last }] } };
    const found = await findDocuments(collection, { ...filter, ...after }, { signal, limit, sort: { _id: 1 } });
    yield found;
    if (found.documents.length < limit) return;
    last = found.documents.at(-1)?.['_id'];
  }
}

export const SILENT_QUARANTINE: QuarantineMonitor = { quarantined: () => undefined };

export const NOT_UTF_8 = new BadValue('', 'not UTF-8');

/** Decodes the found documents. Invalid documents are reported and left out. */
export function decoded<Meaning>(
  kind: RecordKind,
  { documents, damaged }: FoundDocuments,
  monitor: QuarantineMonitor,
  decode: (document: Document) => Meaning | BadValue,
): Meaning[] {
  const meanings: Meaning[] = [];
  for (const document of documents) {
    const meaning = damaged.has(document) ? NOT_UTF_8 : decode(document);
    if (meaning instanceof BadValue) monitor.quarantined(kind, idText(document, meaning), meaning.toString());
    else meanings.push(meaning);
  }
  return meanings;
}

export function recordsOf<Record extends PlainRecord>(spec: DocumentSpec<Record>, found: FoundDocuments, monitor: QuarantineMonitor): Record[] {
  return decoded(spec.kind, found, monitor, (document) => spec.toRecord(document));
}

/** A stored id as text for the log. The id of another repository's record is not shown, because it would reveal that repository. */
function idText({ _id: id, repositoryRef }: Document, { reason }: BadValue): string {
  if (reason === 'foreign-id') return `one of ${quotable(String(repositoryRef))}`;
  return quotable(typeof id === 'string' ? id : JSON.stringify(id));
}
