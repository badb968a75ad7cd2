import { BSON, MongoBulkWriteError } from 'mongodb';
import type { CollectionName } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { inParts } from '../in-parts.js';
import type { Commits, Write } from './commits.js';

/** A document, and what is known of it. */
export interface DocumentToStore {
  readonly document: StoredDocument;
  /** Whether it is most likely not there yet. */
  readonly isNew: boolean;
}

/** Documents that are encoded at once, while nothing else runs. */
const PART_SIZE = 250;
/** A commit has at most a part more than this: the server keeps all of it in memory until it takes place. */
const FULL_COMMIT_BYTES = 8 * 1_024 * 1_024;
const DUPLICATE_KEY = 11_000;

/**
 * Stores documents in any order, each in place of the one that may be there. New ones are inserted, which is much cheaper than looking for
 * them first; when some are there all the same, because a writer before has died, all are stored as those that may be.
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
