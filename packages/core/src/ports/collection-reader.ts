import type { StoredRecord } from '../domain/record.js';
import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import type { Sync } from '../domain/shared/sync.js';
import type { ReadContext } from './read-context.js';

/** Reads for collectors only: they include every repository, approved or not. */
export interface CollectionReader {
  /** The branch of each stored commit of the repository, by sha. */
  commitBranches(ref: RepositoryRef, context: ReadContext): Promise<ReadonlyMap<string, string | null>>;
  /** The ids of the repository's stored releases. */
  releaseIds(ref: RepositoryRef, context: ReadContext): Promise<ReadonlySet<string>>;
  sync(id: string, context: ReadContext): Promise<Sync | null>;
  /** Every record of the store, repositories first and checks last: the order that an import needs. */
  records(context: ReadContext): AsyncIterable<StoredRecord>;
}
