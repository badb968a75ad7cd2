import type { CollectionReader, RecordWriter } from '@vitrine/core';

/** The writer of one source: what it puts, the source vouches for, and what it removes, the source withdraws. */
export function vouchingWriter(writer: RecordWriter, source: string): RecordWriter {
  return {
    put: (records, context) => writer.put(records, { ...context, source }),
    remove: (identities, context) => writer.remove(identities, { ...context, source }),
    withdraw: (other, context) => writer.withdraw(other, context),
    moveCommits: (ref, changes, context) => writer.moveCommits(ref, changes, context),
    indexFor: (approved, context) => writer.indexFor(approved, context),
  };
}

/** What one source sees of the store: of commits and releases, only those for which it vouches, or nobody. */
export function vouchingCollection(collection: CollectionReader, source: string): CollectionReader {
  return {
    commitBranches: (ref, context) => collection.commitBranches(ref, { ...context, source }),
    releaseIds: (ref, context) => collection.releaseIds(ref, { ...context, source }),
    sync: (id, context) => collection.sync(id, context),
    records: (context) => collection.records(context),
    statements: (context) => collection.statements(context),
  };
}
