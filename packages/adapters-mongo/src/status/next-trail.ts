import { compareText, startOfDay, startOfHour, type Check, type Instant } from '@vitrine/core';
import type { HourTally, StoredDay } from './day-document.js';
import type { SourceTrail, Trail } from './trail-document.js';

/** What became of a service's checks. */
export interface ServiceChange {
  /** Its days that were counted again, all of them that differ now. */
  readonly days: readonly StoredDay[];
  /** Of the time that was counted again every check that stands. */
  readonly checks: readonly Check[];
  /** The earliest thing that changed. */
  readonly since: Instant;
  /** Greater than those of all changes before. */
  readonly stamp: number;
}

/** The trail after checks came in; nothing is removed. */
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

/** Numbers that were never used before, also when the trail was removed in between. */
export function revisions(before: Trail | null, since: Instant, stamp: number): Pick<Trail, 'hoursRevision' | 'daysRevision'> {
  if (before === null) return { hoursRevision: stamp, daysRevision: stamp };
  const openHour = before.hour === null ? Infinity : startOfHour(before.lastCheckedAt);
  const next = (revision: number): number => Math.max(stamp, revision + 1);
  return {
    hoursRevision: since < openHour ? next(before.hoursRevision) : before.hoursRevision,
    daysRevision: since < startOfDay(before.lastCheckedAt) || before.hour === null ? next(before.daysRevision) : before.daysRevision,
  };
}

/** A check of the same time stands against the one that is known: it was decided when it was stored. */
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
