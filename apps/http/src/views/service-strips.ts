import { DAY, type Incident, type ServiceDays, startOfDay, UPTIME_WINDOW_DAYS, withoutCovered } from '@vitrine/core';
import type { DaysByService, StripDay } from '@vitrine/pages';
import type { PageContext, PageParts } from './shared/page.js';

/** How many dates the bars show: all that the uptime window touches. */
export const BAR_DAYS = UPTIME_WINDOW_DAYS + 1;

/** How many incidents strips can name. */
export const NAMED_INCIDENTS = 100;
const NEWEST_INCIDENTS = 5;

/** The days of all services for their strips, and the newest incidents, which they name. Each is read on its own; `null` if it cannot be read in time. */
export async function readStrips({ useCases }: Pick<PageContext, 'useCases'>, parts: PageParts, days: number) {
  const [board, incidents] = await Promise.all([
    parts.read('check', async (signal) => {
      const { data, generatedAt, ...answer } = await useCases.listAllServiceDays.execute({ days }, { signal });
      return { ...answer, data: { all: data, now: generatedAt } };
    }),
    parts.read('incident', (signal) => useCases.listIncidents.execute({ limit: NAMED_INCIDENTS }, { signal })),
  ]);
  const known = incidents?.items ?? [];
  const strips: DaysByService = board === null ? null : stripsOf(board.all, withoutCovered(known), board.now);
  return { days: strips, incidents: incidents?.items.slice(0, NEWEST_INCIDENTS) ?? null };
}

function stripsOf(all: readonly ServiceDays[], incidents: readonly Incident[], now: number): NonNullable<DaysByService> {
  const today = startOfDay(now);
  const stripDays = ({ service, days }: ServiceDays): readonly StripDay[] => {
    const own = incidents.filter(({ services }) => services.some(({ key }) => key === service.key));
    return days.map((figures, index) => ({ day: today - index * DAY, ...figures, incidents: onDay(own, today - index * DAY, now) })).reverse();
  };
  return new Map(all.map((each) => [each.service.key, stripDays(each)]));
}

function onDay(incidents: readonly Incident[], day: number, now: number): readonly Incident[] {
  return incidents.filter(({ startedAt, resolvedAt }) => startedAt < day + DAY && (resolvedAt ?? now) >= day && startedAt <= now);
}
