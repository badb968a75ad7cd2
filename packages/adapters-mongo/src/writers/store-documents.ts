import { BSON, MongoBulkWriteError } from 'mongodb';
import type { CollectionName } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { inParts } from '../in-parts.js';
import type { Commits, Write } from './commits.js';

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
