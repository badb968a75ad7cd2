import { nameOfRef, NO_REPOSITORY, type CollectionReader, type ReadContext, type RecordIdentity, type RepositoryRef } from '@vitrine/core';

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

export type StoredRefs = ReadonlyMap<string, ReadonlySet<RepositoryRef>>;

export async function storedRefs(collection: CollectionReader, context: ReadContext): Promise<StoredRefs> {
  const refs = new Map<string, Set<RepositoryRef>>();
  for await (const record of collection.records(context)) {
    // Checks and their counts come last, and belong to no repository.
    if (record.kind === 'check' || record.kind === 'status-day') break;
    if (!('repositoryRef' in record) || record.repositoryRef === NO_REPOSITORY) continue;
    const name = nameOfRef(record.repositoryRef);
    refs.set(name, (refs.get(name) ?? new Set()).add(record.repositoryRef));
  }
  return refs;
}

/** The identity under every ref with which its repository is stored: with the forge id, with another id, or without one. */
export function underEveryRef(identity: RecordIdentity, refs: StoredRefs): readonly RecordIdentity[] {
  if (!('repositoryRef' in identity) || identity.repositoryRef === NO_REPOSITORY) return [identity];
  // Records that the same import stored after the refs were read have the ref of the allowlist.
  const all = new Set([...(refs.get(nameOfRef(identity.repositoryRef)) ?? []), identity.repositoryRef]);
  return [...all].map((repositoryRef) => ({ ...identity, repositoryRef }));
}
