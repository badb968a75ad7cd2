import {
  DAY,
  serviceJudgedAgain,
  startOfDay,
  statusJudgedAgain,
  UPTIME_WINDOW_DAYS,
  withoutCovered,
  type Answer,
  type Incident,
  type PeriodStatus,
  type ServiceDays,
  type UseCases,
} from '@vitrine/core';
import type { DaysByService, ServiceData, StatusData, StripDay } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import { pageAddresses } from './page-addresses.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { recordPageEndpoint } from './record-page-endpoint.js';

/** How many dates the bars show: all that the uptime window touches. */
export const BAR_DAYS = UPTIME_WINDOW_DAYS + 1;
/** Those that strips can name. */
const STRIP_INCIDENTS = { limit: 100, after: null, from: null, to: null, state: null, service: null, covers: null } as const;
const NEWEST_INCIDENTS = { limit: 5, after: null, from: null, to: null, state: null, covers: null } as const;
/** More than the uptime window touches, so that one page holds all of them. */
const WINDOW_DAYS = { limit: 100, after: null, from: null, to: null } as const;

const NEWEST_CHECKS = 8;
const WEEK_HOURS = 7 * 24;

export function statusPageControllers(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return [
    statusController(context),
    serviceController(context),
    recordPageEndpoint(pageRoutes.incident, context, {
      execute: async ({ params, signal }) => {
        const { data: incident, ...answer } = await useCases.getIncident.execute({ id: params['id'] ?? '' }, { signal });
        return { ...answer, data: { incident, coveredBy: await coveredBy(useCases, incident, signal) } };
      },
      render: ({ item, ...data }) => pages.incident({ ...data, ...item }),
    }),
  ];
}

/** The declared incidents that name a detected one. */
async function coveredBy({ listIncidents }: UseCases, { id, incidentKind }: Incident, signal: AbortSignal): Promise<readonly Incident[]> {
  if (incidentKind !== 'detected') return [];
  return (await listIncidents.execute({ ...NEWEST_INCIDENTS, service: null, covers: id }, { signal })).data.items;
}

function statusController(context: PageContext): Endpoint {
  const { useCases, pages, deadlines } = context;
  return documentEndpoint(pageRoutes.status, context, async ({ signal }) => {
    const parts = new PageParts(deadlines, signal);
    const [status, strips] = await Promise.all([
      parts.need((own) => useCases.getStatus.execute({}, { signal: own })),
      readStrips(context, parts, BAR_DAYS),
    ]);
    const data: StatusData = { ...parts.currency, status, ...strips };
    return {
      ...parts.currency,
      changesAt: parts.changesAt,
      text: await pages.status(data),
      repositories: [],
      again: (now) => pages.again.status({ ...data, status: statusJudgedAgain(status, now) }),
    };
  });
}

function serviceController(context: PageContext): Endpoint {
  const { useCases, pages, deadlines } = context;
  const addressOf = pageAddresses(pageRoutes.service);
  return documentEndpoint(pageRoutes.service, context, async ({ query, params, signal }) => {
    const { key = '' } = params;
    const parts = new PageParts(deadlines, signal);
    const [service, days, hours, checks, incidents] = await Promise.all([
      parts.need((own) => useCases.getService.execute({ key }, { signal: own })),
      parts.read('check', (own) => useCases.listServiceDays.execute({ ...WINDOW_DAYS, key }, { signal: own })),
      parts.read('check', (own) => readHours(useCases, key, own)),
      parts.read('check', (own) => useCases.listServiceChecks.execute({ ...WINDOW_DAYS, limit: NEWEST_CHECKS, key }, { signal: own })),
      parts.read('incident', (own) => useCases.listIncidents.execute({ ...NEWEST_INCIDENTS, service: key }, { signal: own })),
    ]);
    const address = addressOf(query, params);
    const lists = { days: days?.items ?? null, hours, checks: checks?.items ?? null, incidents: incidents?.items ?? null };
    const data: ServiceData = { ...parts.currency, service, ...lists, address };
    return {
      ...parts.currency,
      changesAt: parts.changesAt,
      text: await pages.service(data),
      repositories: [],
      again: (now) => pages.again.service({ ...data, service: serviceJudgedAgain(service, now) }),
    };
  });
}

/** The hours of the last seven days, newest first. */
async function readHours({ listServiceHours }: UseCases, key: string, signal: AbortSignal): Promise<Answer<readonly PeriodStatus[]>> {
  const { data, ...answer } = await listServiceHours.execute({ ...WINDOW_DAYS, key }, { signal });
  const more =
    data.next === null
      ? []
      : (await listServiceHours.execute({ ...WINDOW_DAYS, key, limit: WEEK_HOURS - data.items.length, after: data.next }, { signal })).data.items;
  return { ...answer, data: [...data.items, ...more] };
}

/** The days of all services for their strips, and the newest incidents, which they name. Each is read on its own; `null` if it cannot be read in time. */
export async function readStrips({ useCases }: Pick<PageContext, 'useCases'>, parts: PageParts, days: number) {
  const [board, incidents] = await Promise.all([
    parts.read('check', async (signal) => {
      const { data, generatedAt, ...answer } = await useCases.listAllServiceDays.execute({ days }, { signal });
      return { ...answer, data: { all: data, now: generatedAt } };
    }),
    parts.read('incident', (signal) => useCases.listIncidents.execute(STRIP_INCIDENTS, { signal })),
  ]);
  const known = incidents?.items ?? [];
  const strips: DaysByService = board === null ? null : stripsOf(board.all, withoutCovered(known), board.now);
  return { days: strips, incidents: incidents?.items.slice(0, NEWEST_INCIDENTS.limit) ?? null };
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
