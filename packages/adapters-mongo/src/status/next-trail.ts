import { compareText, startOfDay, startOfHour, type Check, type Instant } from '@vitrine/core';
import type { HourTally, StoredDay } from './day-document.js';
import type { SourceTrail, Trail } from './trail-document.js';

/** A change of a service's checks. */
export interface ServiceChange {
  /** All days that were counted again and differ now. */
  readonly days: readonly StoredDay[];
  /** All current checks of the time range that was counted again. */
  readonly checks: readonly Check[];
  /** The earliest time that changed. */
  readonly since: Instant;
  /** Greater than the stamps of all earlier changes. */
  readonly stamp: number;
}

/** The trail after checks were added. It is not valid if checks were removed. */
export function nextTrail(before: Trail, { days, checks, since, stamp }: ServiceChange): Trail {
  const newest = days.find(({ day }) => day === Math.max(startOfDay(before.lastCheckedAt), ...days.map((other) => other.day)));
  return {
    ...before,
    firstCheckedAt: Math.min(before.firstCheckedAt, ...days.map(({ firstCheckedAt }) => firstCheckedAt)),
    ...(newest === undefined ? {} : tailOf(newest)),
    sources: withNewest(before.sources, checks),
    ...revisions(before, since, stamp),
  };
}

/** The end of a service's history, from its newest day. */
export function tailOf(day: StoredDay): Pick<Trail, 'lastCheckedAt' | 'coveredUntil' | 'hour'> {
  const { lastCheckedAt, coveredUntil } = day;
  return { lastCheckedAt, coveredUntil, hour: hourOf(day, lastCheckedAt) };
}

function hourOf({ day, hours }: StoredDay, time: Instant): HourTally | null {
  return hours.find(({ hour }) => hour === new Date(time).getUTCHours() && startOfDay(time) === day) ?? null;
}

/** New revision numbers. They were never used before, even if the trail was removed in the meantime. */
export function revisions(before: Trail | null, since: Instant, stamp: number): Pick<Trail, 'hoursRevision' | 'daysRevision'> {
  if (before === null) return { hoursRevision: stamp, daysRevision: stamp };
  const openHour = before.hour === null ? Infinity : startOfHour(before.lastCheckedAt);
  const next = (revision: number): number => Math.max(stamp, revision + 1);
  return {
    hoursRevision: since < openHour ? next(before.hoursRevision) : before.hoursRevision,
    daysRevision: since < startOfDay(before.lastCheckedAt) || before.hour === null ? next(before.daysRevision) : before.daysRevision,
  };
}

/** A check replaces the known one with the same time, because that was decided when it was stored. */
export function withNewest(sources: readonly SourceTrail[], checks: readonly Check[]): SourceTrail[] {
  const trails = new Map(sources.map((trail) => [trail.newest.provenance.source, trail]));
  for (const check of checks) {
    const { source } = check.provenance;
    trails.set(source, withCheck(trails.get(source) ?? { newest: check, known: null }, check));
  }
  return [...trails.values()].sort((a, b) => compareText(a.newest.provenance.source, b.newest.provenance.source));
}

function withCheck({ newest, known }: SourceTrail, check: Check): SourceTrail {
  return { newest: laterOf(newest, check), known: check.state === 'unknown' ? known : laterOf(known, check) };
}

function laterOf(before: Check | null, check: Check): Check {
  return before !== null && before.checkedAt > check.checkedAt ? before : check;
}
