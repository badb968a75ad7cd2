import { countedAt, DAY, mergeTallies, startOfDay, startOfHour, TallyBuilder, type Instant, type Tally, type Window } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { ServiceChecks } from './service-checks.js';

/**
 * The part of a window that is in one UTC day; `null` if it has neither checks nor coverage.
 *
 * @param isEndOpen whether a check exactly at the end of the window is excluded, because the next window contains it
 */
export function sliceOfDay(service: ServiceChecks, day: Instant, window: Window, now: Instant, isEndOpen = false): Tally | null {
  const slice = { from: Math.max(day, window.from), to: Math.min(day + DAY, window.to) };
  const isWhole = slice.from === day && slice.to === day + DAY;
  if (isWhole && now >= slice.to) {
    const tally = service.tallies.of(day);
    if (tally !== null) return tally;
  }
  // Of a frozen day, only the counts of the whole day are known.
  return service.tallies.frozen(day) === null ? cutSlice(service, day, slice, now, isEndOpen) : null;
}

function cutSlice(service: ServiceChecks, day: Instant, slice: Window, now: Instant, isEndOpen: boolean): Tally | null {
  const checks = service.openDay(day);
  const hour = startOfHour(slice.from);
  const covered = Math.max(service.tallies.coveredBefore(day), checks?.coveredBefore(hour) ?? slice.from);
  const builder = new TallyBuilder(slice, Math.max(slice.from, covered));
  const end = isEndOpen ? slice.to : Infinity;
  if (day <= now) addCounted(builder, checks, { from: hour, to: end }, now);
  // A check from the start of tomorrow may be so little ahead of our clock that it counts today.
  if (day === startOfDay(now)) addCounted(builder, service.openDay(day + DAY), { from: day + DAY, to: end }, now);
  const tally = builder.tally();
  return tally.coveredMs > 0 || Object.values(tally.counts).some((count) => count > 0) ? tally : null;
}

/** @param stretch a time range whose end is excluded */
function addCounted(builder: TallyBuilder, checks: DayChecks | null, { from, to }: Window, now: Instant): void {
  const end = checks?.countBefore(to) ?? 0;
  for (let i = checks?.countBefore(from) ?? 0; checks !== null && i < end; i++) {
    const at = countedAt(checks.timeAt(i), now);
    if (at === null) return;
    const { state, validForMs } = checks.profileAt(i);
    builder.add(at, state, validForMs, checks.responseTimeAt(i));
  }
}

/** The days that can have a check or coverage in a window, newest first. No check is valid for longer than a day. */
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

/** The tally of past hours between two full hours. It is cached until a check in them or before them changes. */
export function wholeHours(service: ServiceChecks, from: Instant, to: Instant): Tally {
  return service.tallies.remembered(from, to, () => {
    const days = daysOf(service, { from, to: to - 1 }, to);
    return mergeTallies(days.flatMap((day) => sliceOfDay(service, day, { from, to }, to, true) ?? []));
  });
}
