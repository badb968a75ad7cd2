import { type Answer, type PeriodStatus, SERVICE_STATES, serviceJudgedAgain, type UseCases } from '@vitrine/core';
import type { ServiceData } from '@vitrine/pages';
import type { Endpoint } from '../serving/router.js';
import { presentService, presentServiceDetail, serviceStatusSchema } from './service-status.js';
import { NAMED_INCIDENTS } from './service-strips.js';
import type { ViewContext } from './shared/endpoint.js';
import { listController, recordController, idCodec } from './shared/lists.js';
import { documentEndpoint } from './shared/document.js';
import { pageAddresses, type PageContext, pageOf, PageParts } from './shared/page.js';
import { Choice, TextFilter, ValuesFilter } from './shared/parameters.js';
import type { PathParameter } from './shared/path-parameters.js';
import { PageQuery, Query } from './shared/query.js';
import { listRoute, recordRoute, STATUS_KINDS } from './shared/route.js';

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
  tag: 'Status',
  summary: 'Get the status of a service',
  description: 'Health of one service.',
  query: ServiceQuery,
  pathParameters: [serviceKeyParameter],
  schema: serviceStatusSchema,
  shows: STATUS_KINDS,
  isKeptApart: true,
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
});

export function serviceView(context: ViewContext): Endpoint {
  return recordController(
    getServiceRoute,
    context,
    async ({ key = '' }, { query, signal }) => {
      const { data: service, ...answer } = await context.useCases.getService.execute({ key }, { signal });
      return { ...answer, data: { service, isWhole: query.include !== undefined } };
    },
    ({ service, isWhole }) => (isWhole ? presentServiceDetail(service, context.links) : presentService(service, context.links)),
    ({ service, isWhole }, now) => ({ service: serviceJudgedAgain(service, now), isWhole }),
  );
}

class ListServicesQuery extends PageQuery {
  @ValuesFilter('Only services whose current state is this.', { values: SERVICE_STATES, example: 'operational' }) readonly state?: readonly string[];
  @TextFilter('Only services of this group.', 'APIs') readonly group?: string;
}

export const listServicesRoute = listRoute({
  id: 'listServices',
  path: '/api/v1/status/services',
  tag: 'Status',
  summary: 'List services',
  description: 'Health of public services, by `key`.',
  query: ListServicesQuery,
  schema: serviceStatusSchema,
  shows: STATUS_KINDS,
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
});

export function servicesView(context: ViewContext): Endpoint {
  return listController(listServicesRoute, context, {
    codec: idCodec,
    execute: (page, { query: { state = null, group = null }, signal }) =>
      context.useCases.listServices.execute({ state, group, ...page }, { signal }),
    present: (service) => presentService(service, context.links),
    judgedAgain: serviceJudgedAgain,
  });
}

export const servicePageRoute = pageOf(getServiceRoute, { shows: [...getServiceRoute.shows, 'incident'] });

/** More than the uptime window touches, so that one page holds all of them. */
const WINDOW_DAYS = { limit: 100, after: null, from: null, to: null } as const;

const NEWEST_CHECKS = 12;
const WEEK_HOURS = 7 * 24;

export function servicePage(context: PageContext): Endpoint {
  const { useCases, pages, deadlines } = context;
  const addressOf = pageAddresses(servicePageRoute);
  return documentEndpoint(servicePageRoute, context, async ({ query, params, signal }) => {
    const { key = '' } = params;
    const parts = new PageParts(deadlines, signal);
    const [service, days, hours, checks, incidents] = await Promise.all([
      parts.need((own) => useCases.getService.execute({ key }, { signal: own })),
      parts.read('check', (own) => useCases.listServiceDays.execute({ ...WINDOW_DAYS, key }, { signal: own })),
      parts.read('check', (own) => readHours(useCases, key, own)),
      parts.read('check', (own) => useCases.listServiceChecks.execute({ ...WINDOW_DAYS, limit: NEWEST_CHECKS, key }, { signal: own })),
      parts.read('incident', (own) => useCases.listIncidents.execute({ limit: NAMED_INCIDENTS, service: key }, { signal: own })),
    ]);
    const address = addressOf(query, params);
    const lists = { days: days?.items ?? null, hours, checks: checks?.items ?? null, incidents: incidents?.items ?? null };
    const data: ServiceData = { ...parts.currency, service, ...lists, address };
    return {
      ...parts.currency,
      text: () => pages.service(data),
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
