import { CHECK_CLOCK_TOLERANCE_MS, type Check } from '../kinds/check.js';
import { DAY, EARLIEST_INSTANT, HOUR, type Instant, startOfDay, startOfHour } from '../kinds/instant.js';
import { NO_LATENCY, latencySummary } from '../kinds/latency.js';
import { grouped } from '../kinds/page.js';
import type { ServiceEvidence } from '../kinds/service-status.js';
import type { Carry, ServiceDay, StatusHour, Tally, TallyWindow, Window } from '../kinds/status-day.js';
import { type LatestState, withNewest } from './count-day.js';
import { NOTHING_CARRIED } from './timeline.js';
import { type CountedAt, NO_TALLY, TallyBuilder, countedAt, countedChecks, mergeTallies } from './uptime.js';

/** A time of which a store adds up the stored days, or the stored hours, once, though it may be part of several ranges. */
export interface RangePart extends TallyWindow {
  readonly kind: 'days' | 'hours';
}

/** Where the whole days of a range begin. The hours before that are of the day that it cuts. */
function firstDayOf({ from, to }: Window): Instant {
  return Math.min(Math.ceil(from / DAY) * DAY, to);
}

/** What a store adds up for `CheckReader.sums`. @param ranges begin at a full hour and end at the start of a UTC day */
export function rangeParts(ranges: readonly TallyWindow[]): readonly RangePart[] {
  const ends = [...new Set(ranges.flatMap((range) => [firstDayOf(range), range.to]))].sort((a, b) => a - b);
  const days = ends.slice(1).map((to, index): RangePart => ({ kind: 'days', from: ends[index] ?? to, to }));
  const hours = new Map(ranges.map((range) => [range.from, { kind: 'hours', from: range.from, to: firstDayOf(range) } as const]));
  return [...days, ...hours.values()].flatMap((part) => {
    const users = ranges.filter((range) => contains(range, part));
    const withoutLatency = users.every((range) => range.withoutLatency === true);
    return part.from < part.to && users.length > 0 ? [{ ...part, withoutLatency }] : [];
  });
}

/** The sum of each range. @param tallies of the parts, in their order; `undefined` if nothing is stored */
export function sumsOfParts(ranges: readonly TallyWindow[], parts: readonly RangePart[], tallies: readonly (Tally | undefined)[]): readonly Tally[] {
  return ranges.map((range) => {
    const own = parts.flatMap((part, index) => (contains(range, part) ? [tallies[index] ?? NO_TALLY] : []));
    return mergeTallies(own, range);
  });
}

function contains(range: TallyWindow, { kind, from, to }: RangePart): boolean {
  const firstDay = firstDayOf(range);
  return kind === 'days' ? from >= firstDay && to <= range.to : from === range.from && to === firstDay;
}

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

/** Of each service what was found for it. */
export function presentByService(
  states: readonly LatestState[],
  hours: ReadonlyMap<string, readonly StatusHour[]>,
  checks: ReadonlyMap<string, readonly Check[]>,
): ReadonlyMap<string, PresentChecks> {
  return new Map(
    states.map((latest) => [latest.serviceKey, { latest, hours: hours.get(latest.serviceKey) ?? [], checks: checks.get(latest.serviceKey) ?? [] }]),
  );
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
  const counted = countedChecks(checks, now);
  const newer = counted.map(({ check }) => check);
  const sources = withNewest(latest.sources, newer);
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

function hourOf(counted: readonly CountedAt[], carry: Carry, now: Instant): Tally {
  const builder = new TallyBuilder(startOfHour(now), carry);
  for (const { at, check } of counted) builder.put(check, at);
  return builder.endNow(now);
}

/** Of a day that is frozen, only the time of the last check is known. */
function lastCheckedAt(latest: Instant, newest: readonly Check[], trackedFrom: Instant, now: Instant): Instant {
  return countedAt(latest, now) ?? Math.max(trackedFrom, ...newest.map(({ checkedAt }) => Math.min(checkedAt, now)));
}

/** A UTC day of a service whose raw checks are stored, in short. */
export interface CheckedDay {
  /** Start of the UTC day. */
  readonly day: Instant;
  /** The number of checks with the state `outage`. */
  readonly outages: number;
  /** Changes whenever a check of the day is added, removed, or replaced by one with another state. It may change without that. */
  readonly version: string;
}

/** The days that have checks, by service. A service without one is absent. */
export function checkedDays(days: readonly (Parameters<typeof checkedDayOf>[0] & ServiceDay)[]): ReadonlyMap<string, readonly CheckedDay[]> {
  const checked = days.map((day) => ({ serviceKey: day.serviceKey, day: checkedDayOf(day) })).filter(({ day }) => day !== null);
  return new Map([...grouped(checked, ({ serviceKey }) => serviceKey)].map(([key, own]) => [key, own.flatMap(({ day }) => day ?? [])]));
}

/** `null` if the day has no check. */
export function checkedDayOf(tally: Omit<Tally, 'latency'> & { readonly day: Instant }): CheckedDay | null {
  const { day, counts, coveredMs, outageMs, degradedMs, changedAt } = tally;
  const { operational, degraded, outage, maintenance, unknown } = counts;
  if (operational + degraded + outage + maintenance + unknown === 0) return null;
  const numbers = [operational, degraded, outage, maintenance, unknown, coveredMs, outageMs, degradedMs, changedAt === null ? null : changedAt - day];
  return { day, outages: outage, version: numbers.map((number) => number?.toString(36) ?? '').join('.') };
}
