import type { Mission } from '../domain/work/mission.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface MissionQuery extends TimeListQuery {
  readonly status: string | null;
}

export interface MissionReader {
  list(approved: ApprovedRepositories, query: MissionQuery, context: ReadContext): Promise<TimePage<Mission>>;
  /** If two approved repositories use the same id, the record of the repository whose name sorts first. */
  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Mission | null>;
}
