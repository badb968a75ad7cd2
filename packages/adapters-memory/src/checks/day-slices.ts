import { countedAt, DAY, mergeTallies, startOfDay, TallyBuilder, type Instant, type Tally, type Window } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { ServiceChecks } from './service-checks.js';

/** What one UTC day holds of a window; `null` when neither a check nor coverage. */
export function sliceOfDay(service: ServiceChecks, day: Instant, window: Window, now: Instant): Tally | null {
  const slice = { from: Math.max(day, window.from), to: Math.min(day + DAY, window.to) };
  const isWhole = slice.from === day && slice.to === day + DAY;
  if (isWhole && now >= slice.to) {
    const tally = service.tallies.of(day);
    if (tally !== null) return tally;
  }
  // Of a frozen day nothing but the whole is known.
  return service.tallies.frozen(day) === null ? cutSlice(service, day, slice, now) : null;
}

function cutSlice(service: ServiceChecks, day: Instant, slice: Window, now: Instant): Tally | null {
  const builder = new TallyBuilder(slice, Math.max(slice.from, service.tallies.coveredBefore(day)));
  if (day <= now) addCounted(builder, service.openDay(day), now);
  // The first checks of tomorrow may be ahead of our clock by little enough to count today.
  if (day === startOfDay(now)) addCounted(builder, service.openDay(day + DAY), now);
  const tally = builder.tally();
  return tally.coveredMs > 0 || Object.values(tally.counts).some((count) => count > 0) ? tally : null;
}

function addCounted(builder: TallyBuilder, checks: DayChecks | null, now: Instant): void {
  if (checks === null) return;
  for (let i = 0; i < checks.length; i++) {
    const at = countedAt(checks.timeAt(i), now);
    if (at === null) return;
    const { state, validForMs } = checks.profileAt(i);
    builder.add(at, state, validForMs, checks.responseTimeAt(i));
  }
}

/** The days that can hold a check or coverage of a window, newest first. No check is valid for longer than a day. */
export function daysOf({ days }: ServiceChecks, window: Window, now: Instant): Instant[] {
  const found: Instant[] = [];
  const first = startOfDay(window.from);
  const today = startOfDay(now);
  const add = (day: Instant): void => {
    if (day >= first && day <= window.to && !found.slice(-2).includes(day)) found.push(day);
  };
  for (let i = days.countBefore(Math.max(window.to, today + DAY) + 1) - 1; i >= 0 && days.at(i) >= first - DAY; i--) {
    const day = days.at(i);
    add(day + DAY);
    add(day);
    if (day - DAY === today) add(today);
  }
  return found;
}

/** The tally of days that are over, from one start of a day to another; remembered until one of them, or one before, changes. */
export function wholeDays(service: ServiceChecks, from: Instant, to: Instant): Tally {
  return service.tallies.remembered(from, to, () => {
    const days = daysOf(service, { from, to: to - 1 }, to);
    return mergeTallies(days.flatMap((day) => sliceOfDay(service, day, { from, to }, to) ?? []));
  });
}
