import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { NamePosition, Page } from '../domain/shared/page.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';

export interface RepositoryQuery {
  /** 1 to 100. */
  readonly limit: number;
  readonly after: NamePosition | null;
}

export interface RepositoryReader {
  /** By lower-case name, ascending. */
  list(approved: ApprovedRepositories, query: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>>;
  /** The repositories of those refs that are approved and stored, in any order. */
  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]>;
}
