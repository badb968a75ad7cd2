import type { ActivityDay } from '../domain/development/activity.js';
import type { Instant } from '../domain/shared/instant.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';

export interface ActivityQuery {
  /** The start of a UTC day. */
  readonly from: Instant;
  /** The last moment that counts. It may be in the middle of a day: later records of that day are not counted. */
  readonly to: Instant;
}

export interface ActivityReader {
  /**
   * How many commits and releases of the approved repositories have a time in the range, by UTC day, in any order. Days without any may be absent. The
   * time of a record is the one that sorts its list. Permission is part of the query. The number of queries must not depend on the number of days or
   * repositories.
   */
  days(approved: ApprovedRepositories, query: ActivityQuery, context: ReadContext): Promise<readonly ActivityDay[]>;
}
