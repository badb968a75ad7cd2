import type { Instant } from '../shared/instant.js';
import type { Check } from './check.js';
import type { Tally } from './status-day.js';

/** What the stored checks show about one service. A check up to 60 s in the future counts as if it happened now; a later one does not count. */
export interface ServiceEvidence {
  /** The time of the earliest stored check, even if only the daily counts of its day are left. */
  readonly trackedFrom: Instant;
  /** The newest counted check, at most now. */
  readonly lastCheckedAt: Instant;
  /** Since when the service has its present state. */
  readonly stateSince: Instant;
  /** The newest counted check of each source. */
  readonly newest: readonly Check[];
  /** The newest counted check of each source whose state was not `unknown`. */
  readonly newestKnown: readonly Check[];
  /** One for each requested window, in the same order. */
  readonly tallies: readonly Tally[];
  /** From the first check to now, without response times. */
  readonly ever: Tally;
  /** From midnight to now. */
  readonly today: Tally;
  /** From the start of the present hour to now. */
  readonly thisHour: Tally;
  /** Median response times in milliseconds of the last 24 hours, oldest first, the present one last; `null` for an hour without an answer. */
  readonly recentMs: readonly (number | null)[];
}
