import type { Finding } from '../domain/development/finding.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface FindingQuery extends TimeListQuery {
  readonly status: string | null;
  readonly changeType: string | null;
}

export interface FindingReader {
  list(approved: ApprovedRepositories, query: FindingQuery, context: ReadContext): Promise<TimePage<Finding>>;
  /** If two approved repositories use the same id, the record of the repository whose name sorts first. */
  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Finding | null>;
}
