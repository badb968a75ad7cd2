import type { CollectionReader, RecordWriter } from '@vitrine/core';
import type { SourceContext } from './source.js';
import { wrappedWriter } from './wrapped-writer.js';

/** Where a source reads and writes. */
type StoreOfSource = Pick<SourceContext, 'writer' | 'collection'>;

/** The store as one source sees it. @param source the id of its sync record; a source without one vouches for nothing */
export function vouchingFor(source: string | undefined, { writer, collection }: StoreOfSource): StoreOfSource {
  if (source === undefined) return { writer, collection };
  return { writer: vouchingWriter(writer, source), collection: vouchingCollection(collection, source) };
}

/** The writer of one source: what it puts, the source vouches for, and what it removes, the source withdraws. */
function vouchingWriter(writer: RecordWriter, source: string): RecordWriter {
  return {
    ...wrappedWriter(writer),
    put: (records, context) => writer.put(records, { ...context, source }),
    remove: (identities, context) => writer.remove(identities, { ...context, source }),
  };
}

/** What one source sees of the store: of commits, releases and findings, only those for which it vouches, or nobody. */
function vouchingCollection(collection: CollectionReader, source: string): CollectionReader {
  return {
    commitBranches: (ref, context) => collection.commitBranches(ref, { ...context, source }),
    releaseIds: (ref, context) => collection.releaseIds(ref, { ...context, source }),
    releasesOf: (ref, context) => collection.releasesOf(ref, context),
    findings: (ref, context) => collection.findings(ref, { ...context, source }),
    sync: (id, context) => collection.sync(id, context),
    services: (context) => collection.services(context),
    checkedDays: (context) => collection.checkedDays(context),
    checksOf: (day, context) => collection.checksOf(day, context),
    records: (context) => collection.records(context),
    statements: (context) => collection.statements(context),
  };
}
