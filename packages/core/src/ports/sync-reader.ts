import type { SyncTimes } from '../domain/shared/sync.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';

export interface SyncReader {
  /** The sync records of sources that feed no repository and, where approved ones are given, of those that feed these. */
  list(approved: ApprovedRepositories | null, context: ReadContext): Promise<readonly SyncTimes[]>;
}
