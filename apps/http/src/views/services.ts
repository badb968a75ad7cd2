import { type Answer, type PageAnswer, type PeriodStatus, type ReadContext, SERVICE_STATES, serviceJudgedAgain, type UseCases } from '@vitrine/core';
import { NAMED_INCIDENTS } from './service-strips.js';
import { idCodec, periodCodec, type PositionCodec, timeCodec } from './shared/cursors.js';
import { listRoute, type PageInput, pageOutcome, PageQuery, recordRoute } from './shared/lists.js';
import { pageOf } from './shared/page.js';
import { Choice, Query, TextFilter, ValuesFilter } from './shared/parameters.js';
import type { PathParameter } from './shared/path-parameters.js';
import { apiRoute, STATUS_ANSWER } from './shared/route.js';
import { coverage, latency, serviceKey, serviceStatusSchema, state, stateCountsSchema, uptime } from './status.js';
import { From, timeRange, To } from './shared/time-range.js';
import { date, flag, from, instant, integer, list, named, type NamedSchema, nullable, provenance, ref, text } from './shared/schema.js';

const KEY = /^[A-Za-z0-9_.:-]{1,64}$/;

const serviceKeyParameter: PathParameter = {
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
    return { ...answer, data: { ...service, shownMonths: query.include === undefined ? undefined : service.months } };
  },
  judgedAgain: serviceJudgedAgain,
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
        parts.readItems('check', (signal) => useCases.listServiceDays.execute({ ...WINDOW_DAYS, key }, { signal })),
        parts.read('check', (signal) => readHours(useCases, key, signal)),
        parts.readItems('check', (signal) => useCases.listServiceChecks.execute({ ...WINDOW_DAYS, limit: NEWEST_CHECKS, key }, { signal })),
        parts.readItems('incident', (signal) => useCases.listIncidents.execute({ limit: NAMED_INCIDENTS, service: key }, { signal })),
      ]);
      return { service, days, hours, checks, incidents, address: addressOf(null) };
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

export const checkSchema = named('Check', 'One stored check of a service.', {
  serviceKey,
  state: state('What the check found.'),
  rawState: text('The provider’s own word.', '200'),
  checkedAt: instant('When it was checked.', '2026-11-20T13:59:00.000Z'),
  responseTimeMs: nullable(integer('How long the answer took, in milliseconds; `null` when not measured.', 212)),
  provenance,
});

const periodFields = {
  state: state(
    'Worst rated state of its own checks, else maintenance, else unknown. A state that lasts from earlier counts in the milliseconds.',
    'outage',
  ),
  uptimePercent: uptime,
  checks: ref(stateCountsSchema, 'Its stored checks, by state.'),
  coveragePercent: coverage,
  responseTimeMs: latency,
  complete: flag('Whether the figures are of all of it.', false),
  outageMs: nullable(
    integer(
      'Milliseconds in outage: from such a check to the next rated one, at most its validity; `null` if nothing is stored, or not known.',
      60_000,
    ),
  ),
  degradedMs: nullable(integer('The same for degraded.', 60_000)),
  incidents: list('The ids of incidents that fall into it, newest first.', text('Id of an incident.', 'inc_2026-11-20-errors')),
};

export const dayStatusSchema = named('DayStatus', 'One UTC day of a service.', {
  date: from('start', date('The day, in UTC.', '2026-11-20')),
  ...periodFields,
});

export const hourStatusSchema = named('HourStatus', 'One hour of a service.', {
  date: from('start', date('The UTC day of the hour.', '2026-11-20')),
  ...periodFields,
  startAt: from('start', instant('When the hour begins.', '2026-11-20T13:00:00.000Z')),
});

const GRANULARITIES = ['check', 'day', 'hour'] as const;

class ServiceHistoryQuery extends PageQuery {
  @From('checkedAt') readonly from?: string;
  @To('checkedAt') readonly to?: string;
  @Choice(
    'What a record stands for: one stored check, one UTC day, or one hour. Days and hours are the whole ones that the range touches, at most 400 days, or 92 for hours.',
    GRANULARITIES,
    'check',
  )
  readonly granularity?: string;

  unit(): (typeof GRANULARITIES)[number] {
    return GRANULARITIES.find((known) => known === this.granularity) ?? 'check';
  }

  override filters() {
    return { granularity: this.unit(), ...timeRange(this) };
  }
}

const ID = 'getServiceHistory';

interface ListOf<Item, Position> {
  execute(input: { readonly key: string } & PageInput<Position>, context: ReadContext): Promise<PageAnswer<Item, Position>>;
}

/** Three lists behind one address: the granularity chooses, and cursors are bound to it. */
export const getServiceHistoryRoute = apiRoute<ServiceHistoryQuery>({
  id: ID,
  path: '/api/v1/status/services/{key}/history',
  ...STATUS_ANSWER,
  summary: 'Get the history of a service',
  description:
    'The stored checks of a service, or its UTC days or hours, newest first. Days without a range are those of the uptime window, both ends cut at it, so that their counts sum to the published figures.',
  query: ServiceHistoryQuery,
  pathParameters: [serviceKeyParameter],
  schema: [checkSchema, dayStatusSchema, hourStatusSchema],
  data: 'list',
  answer: (call, context) => {
    const { listServiceDays, listServiceHours, listServiceChecks } = context.useCases;
    const input = { key: call.params['key'] ?? '', ...timeRange(call.query) };
    const pageOf = <Item extends object, Position>(list: ListOf<Item, Position>, codec: PositionCodec<Position>, schema: NamedSchema) => {
      const execute = (page: PageInput<Position>) => list.execute({ ...input, ...page }, { signal: call.signal });
      return pageOutcome(ID, { codec, execute, schema }, call, context);
    };
    switch (call.query.unit()) {
      case 'day':
        return pageOf(listServiceDays, periodCodec, dayStatusSchema);
      case 'hour':
        return pageOf(listServiceHours, periodCodec, hourStatusSchema);
      case 'check':
        return pageOf(listServiceChecks, timeCodec, checkSchema);
    }
  },
});
