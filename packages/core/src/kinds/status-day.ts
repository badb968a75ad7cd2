import type { ServiceState, StateCounts } from './check.js';
import type { Instant } from './instant.js';
import type { LatencyHistogram } from './latency.js';

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

/** What the checks of one service say about a period. Tallies of adjacent periods can be merged. */
export interface Tally {
  readonly counts: StateCounts;
  /** Milliseconds of the period during which at least one check is valid. */
  readonly coveredMs: number;
  /** Milliseconds in outage: from such a check to the next rated one of its source, at most its validity. `null` if that is not known. */
  readonly outageMs: number | null;
  /** The same for degraded. Of several sources, the worst state counts. */
  readonly degradedMs: number | null;
  /** The last time in the period at which the state of the service changed; `null` if it did not. */
  readonly changedAt: Instant | null;
  /** Response times of operational and degraded checks. */
  readonly latency: LatencyHistogram;
}

/** The state that a source has reported last, and how long that is valid. */
export interface Claim {
  readonly source: string;
  readonly state: ServiceState;
  readonly until: Instant;
  /** If the state is not a rated one: the last rated state before it. */
  readonly rated: { readonly state: ServiceState; readonly until: Instant } | null;
}

/** What checks say beyond the end of their period. The counts of the next period start with it. */
export interface Carry {
  /** The latest end of validity of all checks so far. */
  readonly coveredUntil: Instant;
  /** What is still valid at the end of the period, sorted by source. */
  readonly claims: readonly Claim[];
}

/** The stored counts of one hour. An hour without checks is stored while earlier checks are valid. */
export interface StatusHour extends Tally, Carry {
  /** Start of the hour. */
  readonly hour: Instant;
}

/** The stored counts of one service and UTC day. They stay when its checks expire. A day without checks is stored while earlier ones are valid. */
export interface StatusDay extends Tally, Carry {
  readonly kind: 'status-day';
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
  /** `null` if the day has no check. */
  readonly firstCheckedAt: Instant | null;
  readonly lastCheckedAt: Instant | null;
  /** In time order. Empty if they were not asked for, or if the counts were imported. */
  readonly hours: readonly StatusHour[];
}

export interface ServiceDay {
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
}

export interface CheckIdentity {
  readonly serviceKey: string;
  readonly checkedAt: Instant;
  readonly source: string;
}

/** A text that identifies a service and a day. */
export function dayKeyOf({ serviceKey, day }: ServiceDay): string {
  return `${serviceKey} ${String(day)}`;
}
