import { DAY, mergeTallies, TallyBuilder, type Instant, type Tally, type Window } from '@vitrine/core';
import { daysOf, sliceOfDay } from './day-slices.js';
import type { ServiceChecks } from './service-checks.js';

/**
 * The tallies of windows, in their order. Windows that end together are read together: the whole days of the shorter are part of the longer,
 * so that each day is merged once.
 */
export function windowTallies(service: ServiceChecks, windows: readonly Window[], now: Instant): Tally[] {
  const tallies = new Map<Window, Tally>();
  for (const to of new Set(windows.map((window) => window.to))) {
    const nested = windows.filter((window) => window.to === to).sort((a, b) => b.from - a.from);
    tallyNested(service, nested, now, tallies);
  }
  return windows.map((window) => tallies.get(window) ?? mergeTallies([]));
}

/** @param windows with one end, the shortest first */
function tallyNested(service: ServiceChecks, windows: readonly Window[], now: Instant, tallies: Map<Window, Tally>): void {
  const longest = windows.at(-1);
  if (longest === undefined) return;
  const days = daysOf(service, longest, now);
  const whole = new TallyBuilder({ from: 0, to: 0 }, 0);
  let next = 0;
  for (const window of windows) {
    // Days that begin inside the window; the next longer window holds all of them too.
    for (let day = days[next]; day !== undefined && day >= window.from; day = days[++next]) {
      const slice = sliceOfDay(service, day, window, now);
      if (slice !== null) whole.merge(slice);
    }
    tallies.set(window, withCutDay(whole.tally(), service, days[next], window, now));
  }
}

/** Adds what a window holds of the day in which it begins. */
function withCutDay(whole: Tally, service: ServiceChecks, day: Instant | undefined, window: Window, now: Instant): Tally {
  const slice = day !== undefined && day + DAY > window.from ? sliceOfDay(service, day, window, now) : null;
  return slice === null ? whole : mergeTallies([whole, slice]);
}
