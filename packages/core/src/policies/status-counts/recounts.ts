import { DAY, startOfHour, type Instant } from '../../domain/shared/instant.js';
import { dayKeyOf, type ServiceDay } from './counted-day.js';

/** A day that is counted again from the start of an hour. */
export interface Recount extends ServiceDay {
  readonly from: Instant;
}

/** A change of a day's checks. */
export interface DayChange extends ServiceDay {
  /** The earliest time that changes. If checks are removed, the start of the day. */
  readonly since: Instant;
}

/** For each day that changes, the hour from which its counts change. */
export function changedDays(changes: readonly DayChange[]): readonly Recount[] {
  const earliest = new Map<string, Recount>();
  for (const { serviceKey, day, since } of changes) {
    const key = dayKeyOf({ serviceKey, day });
    earliest.set(key, { serviceKey, day, from: Math.min(earliest.get(key)?.from ?? Infinity, startOfHour(since)) });
  }
  return [...earliest.values()];
}

/**
 * All days that must be counted again when some change: those days, and each day after one of them, because a check may be valid beyond midnight.
 * A day that is not stored is counted from its start.
 *
 * @param changed from `changedDays`
 * @param stored the stored ones of these days and of their neighbours
 */
export function recountsOf(changed: readonly Recount[], stored: Iterable<ServiceDay>): readonly Recount[] {
  const known = new Set([...stored].map(dayKeyOf));
  const changing = new Set(changed.map(dayKeyOf));
  const recounts = new Map<string, Recount>();
  for (const { serviceKey, day, from } of changed) {
    const own = dayKeyOf({ serviceKey, day });
    const following = dayKeyOf({ serviceKey, day: day + DAY });
    const isPartial = known.has(own) && !changing.has(dayKeyOf({ serviceKey, day: day - DAY }));
    if (!recounts.has(own)) recounts.set(own, { serviceKey, day, from: isPartial ? from : day });
    if (known.has(following) || changing.has(following)) recounts.set(following, { serviceKey, day: day + DAY, from: day + DAY });
  }
  return [...recounts.values()];
}
