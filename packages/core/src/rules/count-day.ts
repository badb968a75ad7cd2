import type { Check } from '../kinds/check.js';
import { DAY, HOUR, type Instant } from '../kinds/instant.js';
import { compareText } from '../kinds/page.js';
import type { Carry, ServiceDay, StatusDay, StatusHour, Window } from '../kinds/status-day.js';
import { type CountedCheck, reaches } from './timeline.js';
import { TallyBuilder, mergeTallies } from './uptime.js';

/** The newest checks of one source of a service. */
export interface LatestOfSource {
  readonly newest: Check;
  /** The newest check that is not `unknown`. */
  readonly known: Check | null;
}

/** The first and the newest checks of a service. */
export interface LatestState {
  readonly serviceKey: string;
  readonly firstCheckedAt: Instant;
  readonly lastCheckedAt: Instant;
  /** Sorted by source. */
  readonly sources: readonly LatestOfSource[];
}

/** The latest state after checks were added. If checks or days were removed or replaced, read it again. */
export function latestStateAfter(before: LatestState, checks: readonly Check[]): LatestState {
  const times = checks.map(({ checkedAt }) => checkedAt);
  return {
    serviceKey: before.serviceKey,
    firstCheckedAt: Math.min(before.firstCheckedAt, ...times),
    lastCheckedAt: Math.max(before.lastCheckedAt, ...times),
    sources: withNewest(before.sources, checks),
  };
}

/** The latest state without checks of frozen days. @param from the start of the first day whose raw checks are kept */
export function latestStateFrom(latest: LatestState, from: Instant): LatestState {
  const isKept = (check: Check): boolean => check.checkedAt >= from;
  const kept = latest.sources.filter(({ newest }) => isKept(newest));
  return { ...latest, sources: kept.map(({ newest, known }) => ({ newest, known: known !== null && isKept(known) ? known : null })) };
}

/** A check replaces the known one with the same time, because that was decided when it was stored. */
export function withNewest(sources: readonly LatestOfSource[], checks: readonly Check[]): readonly LatestOfSource[] {
  const latest = new Map(sources.map((one) => [one.newest.provenance.source, one]));
  for (const check of checks) {
    const { source } = check.provenance;
    const { newest, known } = latest.get(source) ?? { newest: check, known: null };
    latest.set(source, { newest: laterOf(newest, check), known: check.state === 'unknown' ? known : laterOf(known, check) });
  }
  return [...latest.values()].sort((a, b) => compareText(a.newest.provenance.source, b.newest.provenance.source));
}

function laterOf(before: Check | null, check: Check): Check {
  return before !== null && before.checkedAt > check.checkedAt ? before : check;
}

/** The part of a counted day that stays unchanged. */
export interface KeptHours extends Pick<StatusDay, 'hours'> {
  /** Start of the first hour that is counted again. Nothing may have been removed from it and the hours after it. */
  readonly from: Instant;
  /** The times of the first and the last check before it. */
  readonly times: readonly Instant[];
}

/**
 * Counts a day; `null` if it has no check and no earlier one is valid in it.
 *
 * @param checks in time order and without duplicates: all checks of the day, or only those of the hours that are counted again
 * @param before the carry of the day before; `NOTHING_CARRIED` if it is not stored
 * @param kept the hours that are not counted again; `null` counts the whole day
 */
export function countDay({ serviceKey, day }: ServiceDay, checks: readonly CountedCheck[], before: Carry, kept: KeptHours | null): StatusDay | null {
  const known = kept ?? { from: day, hours: [], times: [] };
  const hours = [...known.hours, ...countHours({ from: known.from, to: day + DAY }, checks, known.hours.at(-1) ?? before)];
  const last = hours.at(-1);
  if (last === undefined) return null;
  const times = [...known.times, ...checks.map(({ checkedAt }) => checkedAt)];
  return {
    kind: 'status-day',
    serviceKey,
    day,
    ...mergeTallies(hours),
    firstCheckedAt: times[0] ?? null,
    lastCheckedAt: times.at(-1) ?? null,
    coveredUntil: last.coveredUntil,
    claims: last.hour === day + DAY - HOUR ? last.claims : [],
    hours,
  };
}

function countHours({ from, to }: Window, checks: readonly CountedCheck[], before: Carry): readonly StatusHour[] {
  const hours: StatusHour[] = [];
  let [carry, next] = [before, 0];
  for (let hour = from; hour < to; hour += HOUR) {
    const first = next;
    while ((checks[next]?.checkedAt ?? Infinity) < hour + HOUR) next++;
    if (next === first && !reaches(carry, hour)) continue;
    const counted = countHour(hour, checks.slice(first, next), carry);
    hours.push(counted);
    carry = counted;
  }
  return hours;
}

function countHour(hour: Instant, checks: readonly CountedCheck[], carry: Carry): StatusHour {
  const builder = new TallyBuilder(hour, carry);
  for (const check of checks) builder.put(check);
  return { hour, ...builder.end(hour + HOUR) };
}
