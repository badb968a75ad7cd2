import {
  nameOfRef,
  NO_REPOSITORY,
  type CollectionReader,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RepositoryRef,
} from '@vitrine/core';

/**
 * A writer that removes the given identities under every ref that the repository has had in the store: with the id of the forge, another id, or none.
 * Each identity counts once, whatever was removed for it. Reads the refs of the store once, and only when it removes such an identity.
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
    // Few repositories have more than one ref. Each of their identities is a call, which tells whether anything was removed for it.
    for (const several of variants) if (several.length > 1 && (await writer.remove(several, context)) > 0) removed++;
    return removed;
  };
  return {
    remove,
    put: (records, context) => writer.put(records, context),
    moveCommits: (ref, changes, context) => writer.moveCommits(ref, changes, context),
    indexFor: (approved, context) => writer.indexFor(approved, context),
  };
}

function variantsOf(identity: RecordIdentity, refs: ReadonlyMap<string, ReadonlySet<RepositoryRef>>): readonly RecordIdentity[] {
  if (!('repositoryRef' in identity) || identity.repositoryRef === NO_REPOSITORY) return [identity];
  const stored = [...(refs.get(nameOfRef(identity.repositoryRef)) ?? [])];
  // What was stored by the same import, after the refs were read, has the ref of the allowlist.
  const all = stored.includes(identity.repositoryRef) ? stored : [...stored, identity.repositoryRef];
  return all.map((repositoryRef) => ({ ...identity, repositoryRef }));
}

/** Every ref of a stored record, by its name. */
async function storedRefs(collection: CollectionReader, context: ReadContext): Promise<ReadonlyMap<string, ReadonlySet<RepositoryRef>>> {
  const refs = new Map<string, Set<RepositoryRef>>();
  for await (const record of collection.records(context)) {
    // Checks and their counts come last and belong to no repository.
    if (record.kind === 'check' || record.kind === 'status-day') break;
    if (!('repositoryRef' in record) || record.repositoryRef === NO_REPOSITORY) continue;
    const name = nameOfRef(record.repositoryRef);
    const known = refs.get(name);
    if (known === undefined) refs.set(name, new Set([record.repositoryRef]));
    else known.add(record.repositoryRef);
  }
  return refs;
}
