import type { Instant } from '../shared/instant.js';
import type { LatencyHistogram } from './latency.js';
import type { StateCounts } from './service-state.js';

/** Totals of one service's checks over a period. Tallies of adjacent periods can be merged. */
export interface Tally {
  readonly counts: StateCounts;
  /** Milliseconds of the period during which at least one check is valid. */
  readonly coveredMs: number;
  /** Response times of operational and degraded checks. */
  readonly latency: LatencyHistogram;
}

/** The daily counts of one service and UTC day (kind `status-day`). They stay when the day's checks expire. */
export interface DayTally extends Tally {
  readonly kind: 'status-day';
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** The latest end of validity among the checks of this day and of all days before. The next day's coverage starts with it. */
  readonly coveredUntil: Instant;
}

export interface Window {
  /** Inclusive: a check at exactly `from` counts. */
  readonly from: Instant;
  readonly to: Instant;
}

/** A window whose tally is needed. */
export interface TallyWindow extends Window {
  /** Whether the response times are not needed. Then the tally has none, and takes a fraction of the time. Default: `false`. */
  readonly withoutLatency?: boolean;
}
