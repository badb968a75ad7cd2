import {
  nameOfRef,
  NO_REPOSITORY,
  type CollectionReader,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RepositoryRef,
} from '@vitrine/core';
import { wrappedWriter } from '../../running/vouching.js';

/**
 * A writer that removes the given identities under every ref with which the repository is stored: with the forge id, with another id, or without one.
 * Each identity counts as one, however many records were removed for it. The refs are read from the store only once, when such an identity is removed.
 */
export function everyRefWriter(writer: RecordWriter, collection: CollectionReader, ofAnyRef: WeakSet<RecordIdentity>): RecordWriter {
  let refs: Promise<ReadonlyMap<string, ReadonlySet<RepositoryRef>>> | undefined;
  const remove: RecordWriter['remove'] = async (identities, context) => {
    if (identities.some((identity) => ofAnyRef.has(identity))) refs ??= storedRefs(collection, context);
    const known = await refs;
    const variants = identities.map((identity) => (known !== undefined && ofAnyRef.has(identity) ? variantsOf(identity, known) : [identity]));
    let removed = await writer.remove(
      variants.flatMap((one) => (one.length === 1 ? one : [])),
      context,
    );
    // Few repositories have more than one ref. For those, each identity needs its own call, which returns whether anything was removed.
    for (const several of variants) if (several.length > 1 && (await writer.remove(several, context)) > 0) removed++;
    return removed;
  };
  return { ...wrappedWriter(writer), remove };
}

function variantsOf(identity: RecordIdentity, refs: ReadonlyMap<string, ReadonlySet<RepositoryRef>>): readonly RecordIdentity[] {
  if (!('repositoryRef' in identity) || identity.repositoryRef === NO_REPOSITORY) return [identity];
  const stored = [...(refs.get(nameOfRef(identity.repositoryRef)) ?? [])];
  // Records that the same import stored after the refs were read have the ref of the allowlist.
  const all = stored.includes(identity.repositoryRef) ? stored : [...stored, identity.repositoryRef];
  return all.map((repositoryRef) => ({ ...identity, repositoryRef }));
}

/** All refs of stored records, by repository name. */
async function storedRefs(collection: CollectionReader, context: ReadContext): Promise<ReadonlyMap<string, ReadonlySet<RepositoryRef>>> {
  const refs = new Map<string, Set<RepositoryRef>>();
  for await (const record of collection.records(context)) {
    // Checks and their counts come last, and belong to no repository.
    if (record.kind === 'check' || record.kind === 'status-day') break;
    if (!('repositoryRef' in record) || record.repositoryRef === NO_REPOSITORY) continue;
    const name = nameOfRef(record.repositoryRef);
    const known = refs.get(name);
    if (known === undefined) refs.set(name, new Set([record.repositoryRef]));
    else known.add(record.repositoryRef);
  }
  return refs;
}
