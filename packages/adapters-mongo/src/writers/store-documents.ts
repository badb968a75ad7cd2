import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';

/** A document, and what is known of it. */
export interface DocumentToStore {
  readonly document: StoredDocument;
  /** Whether it is most likely not there yet. */
  readonly isNew: boolean;
}

type Operation = AnyBulkWriteOperation<StoredDocument>;

const DUPLICATE_KEY = 11_000;

/**
 * Stores documents in any order, each in place of the one that may be there. New ones are inserted, which is much cheaper than looking for
 * them first; those that are there all the same, because a writer before has died, are replaced.
 */
export async function storeDocuments(collection: Collection<StoredDocument>, documents: readonly DocumentToStore[]): Promise<void> {
  if (documents.length === 0) return;
  const operations = documents.map(({ document, isNew }) => (isNew ? insertion(document) : replacement(document)));
  try {
    await collection.bulkWrite(operations, { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY)) throw error;
    const present = [error.writeErrors].flat().flatMap(({ index }) => documents[index] ?? []);
    await collection.bulkWrite(
      present.map(({ document }) => replacement(document)),
      { ordered: false },
    );
  }
}

function insertion(document: StoredDocument): Operation {
  return { insertOne: { document } };
}

function replacement({ _id, ...replacement }: StoredDocument): Operation {
  return { replaceOne: { filter: { _id }, replacement, upsert: true } };
}
