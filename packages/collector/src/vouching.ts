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

/** The writer of one source: the source vouches for records that it puts, and withdraws from records that it removes. */
function vouchingWriter(writer: RecordWriter, source: string): RecordWriter {
  return {
    ...wrappedWriter(writer),
    put: (records, context) => writer.put(records, { ...context, source }),
    remove: (identities, context) => writer.remove(identities, { ...context, source }),
  };
}

/** The part of the store that one source sees: of commits, releases and findings, only those for which it or no source vouches. */
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
