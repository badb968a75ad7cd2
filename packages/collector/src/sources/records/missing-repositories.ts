import { nameOfRef, type CollectionReader, type ReadContext, type RepositoryRef } from '@vitrine/core';

/** Those of the repositories whose own record is not stored, sorted. */
export async function withoutRecord(refs: ReadonlySet<RepositoryRef>, collection: CollectionReader, context: ReadContext): Promise<RepositoryRef[]> {
  const missing = new Set(refs);
  if (missing.size === 0) return [];
  for await (const record of collection.records(context)) {
    // Repositories come first.
    if (record.kind !== 'repository') break;
    missing.delete(record.repositoryRef);
  }
  return [...missing].sort();
}

/** What is wrong if {@link withoutRecord} returns a repository, and how to fix it. */
export function missingRepository(ref: RepositoryRef): string {
  return `${nameOfRef(ref)} has records, but no repository record, so links to them answer 404; add a line with "kind": "repository" and its fullName`;
}
