import { DAY, EARLIEST_INSTANT, HOUR, startOfDay, startOfHour, type Instant } from '../../domain/shared/instant.js';
import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../../domain/status/check.js';
import type { ServiceEvidence } from '../../domain/status/service-evidence.js';
import { latencySummary, NO_LATENCY } from '../../domain/status/latency.js';
import type { Carry, StatusHour, Tally, TallyWindow, Window } from '../../domain/status/status-day.js';
import { countedAt, mergeTallies, NO_TALLY, TallyBuilder } from '../tally.js';
import { withNewest, type LatestState } from './latest-state.js';
import { NOTHING_CARRIED } from './timeline.js';

const RECENT_HOURS = 24;

/** What is stored of a service beside the days that have ended. */
export interface PresentChecks {
  /** Of each source the newest check up to 60 s after now, and the newest of these that is not `unknown`. */
  readonly latest: LatestState;
  /** The stored hours of {@link recentHours}, oldest first. */
  readonly hours: readonly StatusHour[];
  /** The raw checks from the start of the present hour to 60 s after its end, in time order. */
  readonly checks: readonly Check[];
}

/** The raw checks that `PresentChecks` holds: those of the present hour, and those that count in it although they are dated later. */
export function presentRange(now: Instant): Window {
  const from = startOfHour(now);
  return { from, to: from + HOUR + CHECK_CLOCK_TOLERANCE_MS };
}

/** The hours that `PresentChecks` holds: the 24 before the present one. They include those of today. */
export function recentHours(now: Instant): Window {
  const to = startOfHour(now);
  return { from: to - DAY, to };
}

/** The ranges that {@link evidenceOf} needs for windows that begin at a full hour of an earlier day and end now. The last range is all time. */
export function pastRanges(windows: readonly TallyWindow[], now: Instant): readonly TallyWindow[] {
  const to = startOfDay(now);
  return [...windows.map((window) => ({ ...window, to })), { from: EARLIEST_INSTANT, to, withoutLatency: true }];
}

/**
 * The evidence about one service; `null` if no check counts yet. Equal to that of `tallyOf` over all its checks.
 *
 * @param past a tally for each of {@link pastRanges}; `null` if the service has no day that has ended
 */
export function evidenceOf(
  { latest, hours, checks }: PresentChecks,
  past: readonly Tally[] | null,
  { windows, now }: { readonly windows: readonly TallyWindow[]; readonly now: Instant },
): ServiceEvidence | null {
  const trackedFrom = countedAt(latest.firstCheckedAt, now);
  if (trackedFrom === null) return null;
  const counted = checks.flatMap((check) => {
    const at = countedAt(check.checkedAt, now);
    return at === null ? [] : [{ at, check }];
  });
  const sources = withNewest(
    latest.sources,
    counted.map(({ check }) => check),
  );
  const newest = sources.map((source) => source.newest);
  const recent = new Map(hours.map((stored) => [stored.hour, stored]));
  const thisHour = hourOf(counted, recent.get(startOfHour(now) - HOUR) ?? NOTHING_CARRIED, now);
  const untilNow = mergeTallies([...hours.filter(({ hour }) => hour >= startOfDay(now)), thisHour]);
  const ever = past?.at(-1) ?? NO_TALLY;
  return {
    trackedFrom,
    lastCheckedAt: lastCheckedAt(latest.lastCheckedAt, newest, trackedFrom, now),
    stateSince: untilNow.changedAt ?? ever.changedAt ?? trackedFrom,
    newest,
    newestKnown: sources.flatMap(({ known }) => known ?? []),
    tallies: windows.map((window, index) => mergeTallies([past?.[index] ?? NO_TALLY, untilNow], window)),
    ever: mergeTallies([ever, untilNow], { withoutLatency: true }),
    today: untilNow,
    thisHour,
    recentMs: Array.from({ length: RECENT_HOURS }, (_, index) => {
      const hour = startOfHour(now) - (RECENT_HOURS - 1 - index) * HOUR;
      return latencySummary((hour === startOfHour(now) ? thisHour : recent.get(hour))?.latency ?? NO_LATENCY)?.p50 ?? null;
    }),
  };
}

interface CountedAt {
  readonly at: Instant;
  readonly check: Check;
}

function hourOf(counted: readonly CountedAt[], carry: Carry, now: Instant): Tally {
  const builder = new TallyBuilder(startOfHour(now), carry);
  for (const { at, check } of counted) builder.put(check, at);
  return builder.endNow(now);
}

/** Of a day that is frozen, only the time of the last check is known. */
function lastCheckedAt(latest: Instant, newest: readonly Check[], trackedFrom: Instant, now: Instant): Instant {
  return countedAt(latest, now) ?? Math.max(trackedFrom, ...newest.map(({ checkedAt }) => Math.min(checkedAt, now)));
}
