import {
  DAY,
  EARLIEST_INSTANT,
  outageMarks,
  OutageTimeline,
  startOfDay,
  type Check,
  type CheckedDay,
  type Instant,
  type Outage,
} from '@vitrine/core';
import type { KnownIncident, RememberedDay, ServiceMemory } from './detected-state.js';

/** What is stored about the checks of one service. */
export interface ServiceDays {
  /** The days whose raw checks are stored, oldest first. */
  readonly days: readonly CheckedDay[];
  /** All raw checks of a day. */
  readonly read: (day: Instant) => Promise<readonly Check[]>;
}

/** The outages of a service, and the state to store. */
export interface FoundOutages {
  readonly outages: readonly Outage[];
  readonly days: readonly RememberedDay[];
  /** Where days begin to be remembered. A service that fails every few minutes for months must not fill the memory. */
  readonly from: Instant;
  /** The stored incidents that may still change. Raw checks of the others may be deleted, so they stay as they are. */
  readonly known: readonly KnownIncident[];
}

export interface Present {
  readonly now: Instant;
  /** The first day whose raw checks are certainly stored. */
  readonly keptFrom: Instant;
}

/** Finds the outages of a service. Of days that did not change since they were remembered, no check is read. */
export async function findOutages({ days, read }: ServiceDays, memory: ServiceMemory, present: Present): Promise<FoundOutages> {
  const { now } = present;
  const keptFrom = Math.max(present.keptFrom, memory.from);
  const known = memory.incidents.filter(({ until }) => until === null || until >= keptFrom);
  const neededFrom = startOfDay(Math.min(keptFrom, ...known.map(({ from }) => from)));
  const timeline = new OutageTimeline();
  const used: RememberedDay[] = [];
  const use = (day: RememberedDay): void => {
    timeline.add(day.marks);
    used.push(day);
  };
  for (const day of memory.days.filter(isBetween(neededFrom, keptFrom - 1))) use(day);
  const remembered = new Map(memory.days.map((day) => [day.day, day]));
  for (const listed of days.filter(isBetween(keptFrom, now))) {
    // A day without an outage matters only if it ends one of an earlier day.
    if (listed.outages === 0 && timeline.openUntil < listed.day) continue;
    const same = remembered.get(listed.day);
    use(same?.version === listed.version ? same : dayOf(listed, await read(listed.day), now));
  }
  const outages = timeline.outages(now).filter(({ endAt }) => endAt === null || endAt >= keptFrom);
  return { outages, days: used, from: Math.max(memory.from, rememberedFrom(outages)), known };
}

const MOST_REMEMBERED = 1_000;

/** The day of the oldest outage that is remembered; the beginning of time if there are few. */
function rememberedFrom(outages: readonly Outage[]): Instant {
  const oldest = outages.at(-MOST_REMEMBERED);
  return oldest === undefined ? EARLIEST_INSTANT : startOfDay(oldest.startAt);
}

function isBetween(from: Instant, to: Instant): (day: Pick<CheckedDay, 'day'>) => boolean {
  return ({ day }) => day >= from && day <= to;
}

/** Checks of the future do not count yet. A day that has some is read again by the next run. */
function dayOf({ day, version }: CheckedDay, checks: readonly Check[], now: Instant): RememberedDay {
  const counted = checks.filter(({ checkedAt }) => checkedAt <= now);
  const marks = outageMarks(counted).map(({ runs, ...rest }) => ({ ...rest, runs: [...runs] }));
  return { day, version: counted.length === checks.length ? version : '', marks };
}

/** The first day whose raw checks are certainly stored: one more than the retention says, because the clocks of processes differ. */
export function firstKeptDay(now: Instant, retentionMs: number): Instant {
  return startOfDay(now - retentionMs) + 2 * DAY;
}
