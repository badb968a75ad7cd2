import {
  CHECK_CLOCK_TOLERANCE_MS,
  comparePositions,
  DAY,
  EARLIEST_INSTANT,
  mergeTallies,
  pageOf,
  presentRange,
  rangeParts,
  recentHours,
  sumsOfParts,
} from '@vitrine/core';
import type { Check, CheckReader, Instant, PresentChecks, StatusDay, Tally, TallyWindow, TimePosition, Window } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from '../readers/memory-readers.js';
import type { ServiceChecks } from './check-store.js';

export function memoryCheckReader({ checks }: MemoryStore): CheckReader {
  /** The results for each service; services without a result are left out. */
  const ofEach = <Found>(serviceKeys: readonly string[] | null, read: (service: ServiceChecks) => Found | null): Map<string, Found> => {
    const found = new Map<string, Found>();
    for (const service of serviceKeys?.flatMap((key) => checks.service(key) ?? []) ?? checks.services()) {
      const own = read(service);
      if (own !== null) found.set(service.serviceKey, own);
    }
    return found;
  };
  return {
    sums: ({ serviceKeys, ranges }, context) =>
      answerNow(context, () => ofEach(serviceKeys, (service) => (service.days().length === 0 ? null : sumsOf(service, ranges)))),
    present: ({ serviceKeys, now }, context) => answerNow(context, () => ofEach(serviceKeys, (service) => presentOf(service, now))),
    days: ({ serviceKeys, window }, context) =>
      answerNow(context, () =>
        ofEach(serviceKeys, (service) => {
          const days = daysIn(service, window).map((day) => ({ ...day, ...mergeTallies([day], window), hours: [] }));
          return days.length === 0 ? null : days;
        }),
      ),
    hours: (serviceKey, window, context) => answerNow(context, () => hoursIn(checks.service(serviceKey)?.days() ?? [], window)),
    list: (serviceKey, { limit, after, from, to }, context) =>
      answerNow(context, () => {
        const stored = checks.service(serviceKey)?.checksBetween(from ?? EARLIEST_INSTANT, Math.min(to, after?.time ?? to)) ?? [];
        const rest = stored.filter((check) => after === null || comparePositions(positionOfCheck(check), after) > 0);
        rest.sort((a, b) => comparePositions(positionOfCheck(a), positionOfCheck(b)));
        return pageOf(rest.slice(0, limit + 1), limit, positionOfCheck);
      }),
  };
}

function sumsOf(service: ServiceChecks, ranges: readonly TallyWindow[]): readonly Tally[] {
  const parts = rangeParts(ranges);
  const tallies = parts.map((part) => mergeTallies(part.kind === 'days' ? daysIn(service, part) : hoursIn(service.days(), part), part));
  return sumsOfParts(ranges, parts, tallies);
}

function presentOf(service: ServiceChecks, now: Instant): PresentChecks | null {
  const latest = service.latestState(now + CHECK_CLOCK_TOLERANCE_MS);
  if (latest === null) return null;
  const { from, to } = presentRange(now);
  return { latest, hours: hoursIn(service.days(), recentHours(now)), checks: service.checksBetween(from, to) };
}

function daysIn(service: ServiceChecks, { from, to }: Window): readonly StatusDay[] {
  return service.days().filter(({ day }) => day >= from && day < to);
}

function hoursIn(days: readonly StatusDay[], { from, to }: Window) {
  const touched = days.filter(({ day }) => day < to && day + DAY > from);
  return touched.flatMap(({ hours }) => hours).filter(({ hour }) => hour >= from && hour < to);
}

function positionOfCheck({ checkedAt, provenance }: Check): TimePosition {
  return { time: checkedAt, id: provenance.source };
}
