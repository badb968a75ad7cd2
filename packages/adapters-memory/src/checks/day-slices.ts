import { countedAt, DAY, mergeTallies, startOfDay, startOfHour, TallyBuilder, type Instant, type Tally, type Window } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { ServiceChecks } from './service-checks.js';

/**
 * What one UTC day holds of a window; `null` when neither a check nor coverage.
 *
 * @param isEndOpen whether a check at the very end of the window stays out, because what follows holds it
 */
export function sliceOfDay(service: ServiceChecks, day: Instant, window: Window, now: Instant, isEndOpen = false): Tally | null {
  const slice = { from: Math.max(day, window.from), to: Math.min(day + DAY, window.to) };
  const isWhole = slice.from === day && slice.to === day + DAY;
  if (isWhole && now >= slice.to) {
    const tally = service.tallies.of(day);
    if (tally !== null) return tally;
  }
  // Of a frozen day nothing but the whole is known.
  return service.tallies.frozen(day) === null ? cutSlice(service, day, slice, now, isEndOpen) : null;
}

function cutSlice(service: ServiceChecks, day: Instant, slice: Window, now: Instant, isEndOpen: boolean): Tally | null {
  const checks = service.openDay(day);
  const hour = startOfHour(slice.from);
  const covered = Math.max(service.tallies.coveredBefore(day), checks?.coveredBefore(hour) ?? slice.from);
  const builder = new TallyBuilder(slice, Math.max(slice.from, covered));
  const end = isEndOpen ? slice.to : Infinity;
  if (day <= now) addCounted(builder, checks, { from: hour, to: end }, now);
  // The first checks of tomorrow may be ahead of our clock by little enough to count today.
  if (day === startOfDay(now)) addCounted(builder, service.openDay(day + DAY), { from: day + DAY, to: end }, now);
  const tally = builder.tally();
  return tally.coveredMs > 0 || Object.values(tally.counts).some((count) => count > 0) ? tally : null;
}

/** @param stretch without its end */
function addCounted(builder: TallyBuilder, checks: DayChecks | null, { from, to }: Window, now: Instant): void {
  const end = checks?.countBefore(to) ?? 0;
  for (let i = checks?.countBefore(from) ?? 0; checks !== null && i < end; i++) {
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

/** The tally of hours that are over, from one start of an hour to another; remembered until a check in them, or before them, changes. */
export function wholeHours(service: ServiceChecks, from: Instant, to: Instant): Tally {
  return service.tallies.remembered(from, to, () => {
    const days = daysOf(service, { from, to: to - 1 }, to);
    return mergeTallies(days.flatMap((day) => sliceOfDay(service, day, { from, to }, to, true) ?? []));
  });
}
