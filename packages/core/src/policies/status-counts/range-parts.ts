import { DAY } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow, Window } from '../../domain/status/status-day.js';
import { mergeTallies, NO_TALLY } from '../tally.js';

/** A time of which a store adds up the stored days, or the stored hours, once, though it may be part of several ranges. */
export interface RangePart extends TallyWindow {
  readonly kind: 'days' | 'hours';
}

/** The whole days of a range, and the hours of the day that it cuts. */
interface StoredParts {
  readonly days: Window;
  readonly hours: Window;
}

function storedParts({ from, to }: Window): StoredParts {
  const firstDay = Math.min(Math.ceil(from / DAY) * DAY, to);
  return { days: { from: firstDay, to }, hours: { from, to: firstDay } };
}

/** What a store adds up for `CheckReader.sums`. @param ranges begin at a full hour and end at the start of a UTC day */
export function rangeParts(ranges: readonly TallyWindow[]): readonly RangePart[] {
  const ends = [...new Set(ranges.flatMap((range) => [storedParts(range).days.from, range.to]))].sort((a, b) => a - b);
  const days = ends.slice(1).map((to, index): RangePart => ({ kind: 'days', from: ends[index] ?? to, to }));
  const hours = new Map(ranges.map((range) => [range.from, { kind: 'hours', ...storedParts(range).hours } as const]));
  return [...days, ...hours.values()].flatMap((part) => {
    const users = ranges.filter((range) => contains(range, part));
    const withoutLatency = users.every((range) => range.withoutLatency === true);
    return part.from < part.to && users.length > 0 ? [{ ...part, withoutLatency }] : [];
  });
}

/** The sum of each range. @param tallies of the parts, in their order; `undefined` if nothing is stored */
export function sumsOfParts(ranges: readonly TallyWindow[], parts: readonly RangePart[], tallies: readonly (Tally | undefined)[]): readonly Tally[] {
  return ranges.map((range) =>
    mergeTallies(
      parts.flatMap((part, index) => (contains(range, part) ? [tallies[index] ?? NO_TALLY] : [])),
      range,
    ),
  );
}

function contains(range: TallyWindow, part: RangePart): boolean {
  const { days, hours } = storedParts(range);
  return part.kind === 'days' ? part.from >= days.from && part.to <= days.to : part.from === hours.from && part.to === hours.to;
}
