import { DAY, startOfHour, type Instant } from '../../domain/shared/instant.js';
import { MAX_VALIDITY_MS } from '../../domain/status/check.js';
import { dayKeyOf, NEVER_COVERED, type CountedDay, type ServiceDay } from './counted-day.js';

/** A day that is counted again from the start of an hour. */
export interface Recount extends ServiceDay {
  readonly from: Instant;
}

/** A change of a day's checks. */
export interface DayChange extends ServiceDay {
  /** The earliest time that changes. If checks are removed, the start of the day. */
  readonly since: Instant;
  /** The end of the validity of what is put; the start of the day if nothing is. */
  readonly until: Instant;
}

/** All changes of a day. */
export interface ChangedDay extends Recount {
  /** The latest end of the validity of what is put. */
  readonly until: Instant;
}

/** A stored day, as far as it is needed to find the days that must be counted again. */
type CoveringDay = Pick<CountedDay, 'serviceKey' | 'day' | 'coveredUntil'>;

/** For each day that changes, the hour from which its counts change. */
export function changedDays(changes: readonly DayChange[]): readonly ChangedDay[] {
  const changed = new Map<string, ChangedDay>();
  for (const { serviceKey, day, since, until } of changes) {
    const key = dayKeyOf({ serviceKey, day });
    const { from, until: latest } = changed.get(key) ?? { from: Infinity, until };
    changed.set(key, { serviceKey, day, from: Math.min(from, startOfHour(since)), until: Math.max(latest, until) });
  }
  return [...changed.values()];
}

/**
 * The days after a changed day whose counts may change too, oldest first: the next one, and all in which its checks were or are valid.
 *
 * @param coveredUntil of the stored day; by default, it is not stored
 */
export function daysAfter({ day, until }: Pick<ChangedDay, 'day' | 'until'>, coveredUntil: Instant = NEVER_COVERED): readonly Instant[] {
  const end = Math.min(Math.max(until, coveredUntil), day + DAY + MAX_VALIDITY_MS);
  const days = [day + DAY];
  for (let next = day + 2 * DAY; next < end; next += DAY) days.push(next);
  return days;
}

/**
 * All days that must be counted again when some change: those days, and the days after them in which a check may be valid. A day that is not stored is
 * counted from its start.
 *
 * @param changed from `changedDays`
 * @param stored the stored ones of these days, and of their {@link daysAfter}
 */
export function recountsOf(changed: readonly ChangedDay[], stored: Iterable<CoveringDay>): readonly Recount[] {
  const known = new Map([...stored].map((day) => [dayKeyOf(day), day.coveredUntil]));
  const recounts = new Map<string, Recount>();
  for (const change of changed) {
    const { serviceKey, day, from } = change;
    recounts.set(dayKeyOf(change), { serviceKey, day, from: known.has(dayKeyOf(change)) ? from : day });
  }
  for (const change of changed) {
    const { serviceKey } = change;
    for (const day of daysAfter(change, known.get(dayKeyOf(change)))) {
      const key = dayKeyOf({ serviceKey, day });
      if (known.has(key) || recounts.has(key)) recounts.set(key, { serviceKey, day, from: day });
    }
  }
  return [...recounts.values()];
}
