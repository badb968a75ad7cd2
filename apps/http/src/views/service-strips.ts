import { DAY, type DayFigures, type Incident, isUnresolved, startOfDay, UNCHECKED_DAY, UPTIME_WINDOW_DAYS, withoutCovered } from '@vitrine/core';
import type { DaysOf } from '@vitrine/pages';
import type { PageContext } from './shared/route.js';
import type { PageParts } from './shared/page.js';

/** How many dates the bars show: all that the uptime window touches. */
export const BAR_DAYS = UPTIME_WINDOW_DAYS + 1;

export const NAMED_INCIDENTS = 100;
const NEWEST_INCIDENTS = 5;

/** Reads the status of all services with their last days. @param count how many, the present one included */
export function statusWithDays({ useCases }: Pick<PageContext, 'useCases'>, count: number) {
  return async (signal: AbortSignal) => {
    const { data: status, days, generatedAt: now, ...answer } = await useCases.getStatus.execute({ days: count }, { signal });
    return { ...answer, data: { status, days, count, now } };
  };
}

type StatusWithDays = Awaited<ReturnType<ReturnType<typeof statusWithDays>>>['data'];

/** The incidents that strips can name, newest first; `null` if they cannot be read in time. */
export function readNamed({ useCases }: Pick<PageContext, 'useCases'>, parts: PageParts): Promise<readonly Incident[] | null> {
  return parts.readItems('incident', (signal) => useCases.listIncidents.execute({ limit: NAMED_INCIDENTS }, { signal }));
}

/** `past`: the newest incidents that are over. `lasting`: all, because some may last on days between those. `null` for what cannot be read. */
export function stripsOf(read: StatusWithDays | null, named: readonly Incident[] | null) {
  const shown = withoutCovered(named ?? []);
  // Unresolved ones are chosen out first: if all of the newest were open, the page would say that there was no past incident.
  const past = shown.filter((incident) => !isUnresolved(incident)).slice(0, NEWEST_INCIDENTS);
  return { days: read === null ? null : daysOf(read, shown), past: named === null ? null : past, lasting: named ?? [] };
}

function daysOf({ days, count, now }: StatusWithDays, incidents: readonly Incident[]): DaysOf {
  if (days === null) return null;
  const today = startOfDay(now);
  const dates = Array.from({ length: count }, (_, index) => today - (count - 1 - index) * DAY);
  return (serviceKey) => {
    const own = incidents.filter(({ services }) => services.some(({ key }) => key === serviceKey));
    const past = days.past.get(serviceKey);
    const figuresOf = (day: number): DayFigures => (day === today ? days.today.get(serviceKey) : past?.get(day)) ?? UNCHECKED_DAY;
    // Most services have no incident, and a page has ten thousand days: with a copy of all properties, this takes three times as long.
    return dates.map((day) => {
      const { state, outageMs, degradedMs, checks, failed } = figuresOf(day);
      return { day, state, outageMs, degradedMs, checks, failed, incidents: own.length === 0 ? own : onDay(own, day, now) };
    });
  };
}

function onDay(incidents: readonly Incident[], day: number, now: number): readonly Incident[] {
  return incidents.filter(({ startedAt, resolvedAt }) => startedAt < day + DAY && (resolvedAt ?? now) >= day && startedAt <= now);
}
