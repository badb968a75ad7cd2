import { DAY, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow, Window } from '../../domain/status/day-tally.js';
import type { LatestState } from './latest-state.js';
import type { AskedWindow } from './window-parts.js';

/** By window, and then by their first day and their end: most services of a query have the same days, and these are planned once. */
const DAYS = new WeakMap<TallyWindow, Map<string, readonly AskedWindow[]>>();

/** The UTC days of a window that may have checks or coverage, each cut to the window. Ask an `EvidenceRequest` for their tallies. */
export function dayWindows({ firstCheckedAt, coveredUntil }: LatestState, window: TallyWindow, now: Instant): readonly AskedWindow[] {
  const first = startOfDay(Math.max(window.from, firstCheckedAt));
  const latest = Math.min(window.to, Math.max(now, coveredUntil));
  const known = DAYS.get(window) ?? new Map<string, readonly AskedWindow[]>();
  DAYS.set(window, known);
  const key = `${String(first)} ${String(latest)}`;
  const days = known.get(key) ?? daysBetween(first, latest, window);
  known.set(key, days);
  return days;
}

function daysBetween(first: Instant, latest: Instant, { from, to, withoutLatency = false }: TallyWindow): readonly AskedWindow[] {
  const days: AskedWindow[] = [];
  for (let day = first; day <= latest; day += DAY)
    days.push({ from: Math.max(day, from), to: Math.min(day + DAY, to), isEndOpen: day + DAY <= to, withoutLatency });
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
