import { BSON, type Abortable, type AggregateOptions, type Document, type Filter, type FindOptions } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';

export type FindDocumentsOptions = FindOptions & Abortable;

/** What a query found. */
export interface FoundDocuments {
  readonly documents: readonly Document[];
  /** Those of them whose bytes are damaged, such as text that is not UTF-8: they tell where they stand, and nothing else. */
  readonly damaged: ReadonlySet<Document>;
}

const NONE_DAMAGED: ReadonlySet<Document> = new Set();
/** More documents than any answer holds: what is found comes with the first command, as far as it fits into one message. */
const WHOLE_ANSWER = 1_000_000;

/** One document whose bytes are damaged makes the driver refuse all that came with it, so they are then read again one by one. */
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

/** The same as the bytes that are stored, for who remembers what they mean. */
export function findBytes(collection: ReadCollection, filter: Filter<StoredDocument>, options: FindDocumentsOptions): Promise<readonly Uint8Array[]> {
  return collection.find<Uint8Array>(filter, { ...options, batchSize: WHOLE_ANSWER, raw: true }).toArray();
}

/** The same for what a pipeline finds, in one command as long as it fits into one answer. */
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

/** A document of bytes that need not be sound: it tells where it stands, and nothing else. */
export function lenient(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, { validation: { utf8: false } });
}
