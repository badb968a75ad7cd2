import { DAY, HOUR, mergeTallies, startOfDay, startOfHour, type Instant, type Tally, type Window } from '@vitrine/core';
import { sliceOfDay, wholeHours } from './day-slices.js';
import type { ServiceChecks } from './service-checks.js';

/**
 * The tallies of windows, in their order. The whole hours of a window are cached from earlier requests. Only the partial hour at its start and the current hour are
 * counted each time.
 */
export function windowTallies(service: ServiceChecks, windows: readonly Window[], now: Instant): Tally[] {
  // Windows with the same end share the tally of the last hour.
  const ends = new Map<string, readonly Tally[]>();
  return windows.map((window) => {
    const firstWhole = startOfHour(window.from + HOUR - 1);
    const endOfWhole = Math.max(firstWhole, startOfHour(Math.min(window.to, now)));
    const key = `${String(endOfWhole)} ${String(window.to)}`;
    const end = ends.get(key) ?? endFrom(service, endOfWhole, window.to, now);
    ends.set(key, end);
    return mergeTallies([...beginning(service, window, firstWhole, now), ...wholes(service, firstWhole, endOfWhole), ...end]);
  });
}

function beginning(service: ServiceChecks, { from, to }: Window, firstWhole: Instant, now: Instant): Tally[] {
  if (from === firstWhole) return [];
  return present(sliceOfDay(service, startOfDay(from), { from, to: Math.min(firstWhole, to) }, now, firstWhole <= to));
}

function wholes(service: ServiceChecks, from: Instant, to: Instant): Tally[] {
  return from < to ? [wholeHours(service, from, to)] : [];
}

function endFrom(service: ServiceChecks, from: Instant, to: Instant, now: Instant): Tally[] {
  const slices: Tally[] = [];
  // A check from now or earlier is not valid beyond the end of tomorrow.
  const last = Math.min(to, startOfDay(now) + 2 * DAY);
  for (let start = from; start <= last; start = startOfDay(start) + DAY)
    slices.push(...present(sliceOfDay(service, startOfDay(start), { from: start, to }, now)));
  return slices;
}

function present(slice: Tally | null): Tally[] {
  return slice === null ? [] : [slice];
}
