import { DAY, type Instant } from '../../domain/shared/instant.js';
import { MAX_VALIDITY_MS } from '../../domain/status/check.js';
import type { DayTally, Tally } from '../../domain/status/day-tally.js';

/** One UTC day of one service. */
export interface ServiceDay {
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
}

/** The tally of one hour of a day. Hours without checks and coverage are left out. */
export interface HourTally extends Tally {
  /** 0 to 23. */
  readonly hour: number;
  /** The end of the longest validity of the hour's checks and all those before. */
  readonly coveredUntil: Instant;
}

/** The times of a source's checks on a day. */
export interface SourceTimes {
  readonly source: string;
  readonly newestAt: Instant;
  /** The newest check that was not `unknown`. */
  readonly knownAt: Instant | null;
}

/** The counts of a day, as a store keeps them. If the counts were imported, hours and sources are unknown. */
export interface CountedDay extends DayTally {
  /** Sorted by source. */
  readonly sources: readonly SourceTimes[];
  /** In time order. */
  readonly hours: readonly HourTally[];
}

/** Identifies one stored check. */
export interface CheckIdentity {
  readonly serviceKey: string;
  readonly checkedAt: Instant;
  readonly source: string;
}

/** `coveredUntil` before the first check. */
export const NEVER_COVERED: Instant = Number.NEGATIVE_INFINITY;

/** The counts of the whole day, without hours and sources. */
export function dayTallyOf({ serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil }: DayTally): DayTally {
  return { kind: 'status-day', serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil };
}

/** A text that identifies a service and a day. */
export function dayKeyOf({ serviceKey, day }: ServiceDay): string {
  return `${serviceKey} ${String(day)}`;
}

/** The last stored day before a day, if its checks may still be valid then. Days without checks are not stored. */
export function storedBefore<Day>(day: Instant, stored: (day: Instant) => Day | undefined): Day | undefined {
  for (let before = day - DAY; before >= day - MAX_VALIDITY_MS; before -= DAY) {
    const found = stored(before);
    if (found !== undefined) return found;
  }
  return undefined;
}
