import { DAY, mergeTallies, startOfDay, type Instant, type Tally, type Window } from '@vitrine/core';
import { sliceOfDay, wholeDays } from './day-slices.js';
import type { ServiceChecks } from './service-checks.js';

/**
 * The tallies of windows, in their order. The whole days of a window are known from earlier requests; what is counted each time are the days that
 * it cuts, and today.
 */
export function windowTallies(service: ServiceChecks, windows: readonly Window[], now: Instant): Tally[] {
  const slices = new Map<string, Tally | null>();
  const sliceOf = (day: Instant, window: Window): Tally | null => {
    // Windows that end together share what they hold of today.
    const key = `${String(Math.max(day, window.from))} ${String(Math.min(day + DAY, window.to))}`;
    let slice = slices.get(key);
    if (slice === undefined) slices.set(key, (slice = sliceOfDay(service, day, window, now)));
    return slice;
  };
  return windows.map((window) => mergeTallies([...partsOf(service, window, now, sliceOf)]));
}

function* partsOf(service: ServiceChecks, window: Window, now: Instant, sliceOf: (day: Instant, window: Window) => Tally | null): Iterable<Tally> {
  const cutDay = startOfDay(window.from);
  const firstWhole = cutDay === window.from ? cutDay : cutDay + DAY;
  const endOfWhole = Math.max(firstWhole, startOfDay(Math.min(window.to, now)));
  if (cutDay < firstWhole) yield* present(sliceOf(cutDay, window));
  if (firstWhole < endOfWhole) yield wholeDays(service, firstWhole, endOfWhole);
  // What is checked by now covers nothing beyond tomorrow.
  const last = Math.min(startOfDay(window.to), startOfDay(now) + 2 * DAY);
  for (let day = endOfWhole; day <= last; day += DAY) yield* present(sliceOf(day, window));
}

function present(slice: Tally | null): Tally[] {
  return slice === null ? [] : [slice];
}
