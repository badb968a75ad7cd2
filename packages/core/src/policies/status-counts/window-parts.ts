import { DAY, HOUR, startOfDay, startOfHour, type Instant } from '../../domain/shared/instant.js';
import type { TallyWindow, Window } from '../../domain/status/day-tally.js';

/** A part of a window that is known from counts: whole days, or whole hours of one day. */
export interface CountedPart extends TallyWindow {
  readonly kind: 'days' | 'hours';
  /** Equal for equal parts. */
  readonly key: string;
}

/** A part of a window within one hour, which is counted from raw checks. */
export interface RawPart extends Window {
  readonly kind: 'raw';
  /** Start of the hour. */
  readonly hour: Instant;
}

export type WindowPart = CountedPart | RawPart;

/** A window. A check exactly at its end may be excluded, so that it belongs to the next window. */
export interface AskedWindow extends TallyWindow {
  readonly isEndOpen?: boolean;
}

/** The parts of a window before a boundary, which is the start of an hour. */
export function partsBefore(boundary: Instant, { from, to, isEndOpen = false, withoutLatency }: AskedWindow): readonly WindowPart[] {
  if (from >= boundary) return [];
  const parts: WindowPart[] = [];
  const start = startOfHour(from + HOUR - 1);
  if (start > from) parts.push({ kind: 'raw', hour: start - HOUR, from, to: Math.min(to, start) });
  const lastHour = startOfHour(to);
  parts.push(...countedParts(start, Math.min(boundary, lastHour), withoutLatency === true));
  if (to < boundary && lastHour >= start && !(isEndOpen && to === lastHour)) parts.push({ kind: 'raw', hour: lastHour, from: lastHour, to });
  return parts;
}

function countedParts(from: Instant, to: Instant, withoutLatency: boolean): CountedPart[] {
  if (from >= to) return [];
  const firstDay = startOfDay(from) === from ? from : startOfDay(from) + DAY;
  const lastDay = startOfDay(to);
  if (firstDay > lastDay) return [countedPart('hours', from, to, withoutLatency)];
  const parts = [
    countedPart('hours', from, firstDay, withoutLatency),
    countedPart('days', firstDay, lastDay, withoutLatency),
    countedPart('hours', lastDay, to, withoutLatency),
  ];
  return parts.filter((part) => part.from < part.to);
}

function countedPart(kind: CountedPart['kind'], from: Instant, to: Instant, withoutLatency: boolean): CountedPart {
  return { kind, from, to, withoutLatency, key: `${kind} ${String(from)} ${String(to)}${withoutLatency ? '' : ' latency'}` };
}
