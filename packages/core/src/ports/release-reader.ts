import type { Release } from '../domain/development/release.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface ReleaseQuery extends TimeListQuery {
  readonly platform: string | null;
  readonly releaseType: string | null;
}

export interface ReleaseReader {
  list(approved: ApprovedRepositories, query: ReleaseQuery, context: ReadContext): Promise<TimePage<Release>>;
  /** @param idKey the id with its repository part in lower case, from `releaseIdKey` */
  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<Release | null>;
}
