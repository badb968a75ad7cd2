import type { Instant } from '../shared/instant.js';
import type { LatencyHistogram } from './latency.js';
import type { StateCounts } from './service-state.js';

/** What a stretch of time holds of one service's checks. Tallies of stretches that meet can be merged. */
export interface Tally {
  readonly counts: StateCounts;
  /** Milliseconds of the stretch inside the validity of some check. */
  readonly coveredMs: number;
  /** Response times of operational and degraded checks. */
  readonly latency: LatencyHistogram;
}

/** The counts of one service and UTC day. They outlive the day's checks: the kind `status-day`. */
export interface DayTally extends Tally {
  readonly kind: 'status-day';
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** The end of the longest validity of the day's checks and those before, which the next day's coverage begins with. */
  readonly coveredUntil: Instant;
}

export interface Window {
  /** Exclusive lower ends do not exist here: a check at exactly `from` counts. */
  readonly from: Instant;
  readonly to: Instant;
}
