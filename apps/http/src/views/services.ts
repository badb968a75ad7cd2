import { type Answer, type PeriodStatus, SERVICE_STATES, serviceJudgedAgain, type UseCases } from '@vitrine/core';
import { NAMED_INCIDENTS } from './service-strips.js';
import { idCodec } from './shared/cursors.js';
import { listRoute, PageQuery, recordRoute } from './shared/lists.js';
import { pageOf } from './shared/page.js';
import { Choice, Query, TextFilter, ValuesFilter } from './shared/parameters.js';
import type { PathParameter } from './shared/path-parameters.js';
import { STATUS_ANSWER } from './shared/route.js';
import { presentService, serviceStatusSchema } from './status.js';

const KEY = /^[A-Za-z0-9_.:-]{1,64}$/;

export const serviceKeyParameter: PathParameter = {
  name: 'key',
  description: 'Key of the service: `<provider>:<component>`, with its colon percent-encoded or plain.',
  schema: { type: 'string', pattern: KEY.source },
  example: 'acme:widget-api',
  isWellFormed: (text) => KEY.test(text),
};

class ServiceQuery extends Query {
  @Choice('`months`: also the uptime by month.', ['months']) readonly include?: string;
}

export const getServiceRoute = recordRoute({
  id: 'getService',
  path: '/api/v1/status/services/{key}',
  ...STATUS_ANSWER,
  summary: 'Get the status of a service',
  description: 'Health of one service.',
  query: ServiceQuery,
  pathParameters: [serviceKeyParameter],
  schema: serviceStatusSchema,
  isKeptApart: true,
  execute: async ({ params, query, signal }, { useCases }) => {
    const { data: service, ...answer } = await useCases.getService.execute({ key: params['key'] ?? '' }, { signal });
    return { ...answer, data: { service, isWhole: query.include !== undefined } };
  },
  present: ({ service, isWhole }, { links }) => presentService(service, links, isWhole ? service.months : undefined),
  judgedAgain: ({ service, isWhole }, now) => ({ service: serviceJudgedAgain(service, now), isWhole }),
});

class ListServicesQuery extends PageQuery {
  @ValuesFilter('Only services whose current state is this.', { values: SERVICE_STATES, example: 'operational' }) readonly state?: readonly string[];
  @TextFilter('Only services of this group.', 'APIs') readonly group?: string;
}

export const listServicesRoute = listRoute({
  id: 'listServices',
  path: '/api/v1/status/services',
  ...STATUS_ANSWER,
  summary: 'List services',
  description: 'Health of public services, by `key`.',
  query: ListServicesQuery,
  schema: serviceStatusSchema,
  codec: idCodec,
  execute: (page, { query: { state = null, group = null }, signal }, { useCases }) =>
    useCases.listServices.execute({ state, group, ...page }, { signal }),
  present: (service, { links }) => presentService(service, links),
  judgedAgain: serviceJudgedAgain,
});

/** More than the uptime window touches, so that one page holds all of them. */
const WINDOW_DAYS = { limit: 100, after: null, from: null, to: null } as const;

const NEWEST_CHECKS = 12;
const WEEK_HOURS = 7 * 24;

export const servicePage = pageOf(
  getServiceRoute,
  {
    read: async ({ params: { key = '' }, addressOf }, parts, { useCases }) => {
      const [service, days, hours, checks, incidents] = await Promise.all([
        parts.need((signal) => useCases.getService.execute({ key }, { signal })),
        parts.read('check', (signal) => useCases.listServiceDays.execute({ ...WINDOW_DAYS, key }, { signal })),
        parts.read('check', (signal) => readHours(useCases, key, signal)),
        parts.read('check', (signal) => useCases.listServiceChecks.execute({ ...WINDOW_DAYS, limit: NEWEST_CHECKS, key }, { signal })),
        parts.read('incident', (signal) => useCases.listIncidents.execute({ limit: NAMED_INCIDENTS, service: key }, { signal })),
      ]);
      const lists = { days: days?.items ?? null, hours, checks: checks?.items ?? null, incidents: incidents?.items ?? null };
      return { service, ...lists, address: addressOf(null) };
    },
    draw: (pages) => pages.service,
    again: (pages, data, now) => pages.again.service({ ...data, service: serviceJudgedAgain(data.service, now) }),
  },
  { shows: [...getServiceRoute.shows, 'incident'] },
);

async function readHours({ listServiceHours }: UseCases, key: string, signal: AbortSignal): Promise<Answer<readonly PeriodStatus[]>> {
  const { data, ...answer } = await listServiceHours.execute({ ...WINDOW_DAYS, key }, { signal });
  const more =
    data.next === null
      ? []
      : (await listServiceHours.execute({ ...WINDOW_DAYS, key, limit: WEEK_HOURS - data.items.length, after: data.next }, { signal })).data.items;
  return { ...answer, data: [...data.items, ...more] };
}
