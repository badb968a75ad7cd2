import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { Tally, Window } from '../../domain/status/day-tally.js';
import type { LatestState } from './latest-state.js';
import type { AskedWindow } from './window-parts.js';

/** The UTC days of a window that may have checks or coverage, each cut to the window. Ask an `EvidenceRequest` for their tallies. */
export function dayWindows({ firstCheckedAt, coveredUntil }: LatestState, window: Window, now: Instant): readonly AskedWindow[] {
  const days: AskedWindow[] = [];
  const latest = Math.min(window.to, Math.max(now, coveredUntil));
  for (let day = startOfDay(Math.max(window.from, firstCheckedAt)); day <= latest; day += DAY)
    days.push({ from: Math.max(day, window.from), to: Math.min(day + DAY, window.to), isEndOpen: day + DAY <= window.to });
  return days;
}

/**
 * The days that have checks or coverage.
 *
 * @param tallies of the windows, in their order
 */
export function daySlices(windows: readonly Window[], tallies: readonly Tally[]): { readonly day: Instant; readonly tally: Tally }[] {
  return tallies.flatMap((tally, index) => (isEmpty(tally) ? [] : [{ day: startOfDay(windows[index]?.from ?? 0), tally }]));
}

function isEmpty({ counts, coveredMs }: Tally): boolean {
  return coveredMs === 0 && Object.values(counts).every((count) => count === 0);
}
