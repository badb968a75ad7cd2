import type { PageAnswer, ReadContext } from '@vitrine/core';
import { coverage, latency, serviceKey, state, stateCountsSchema, uptime } from './status.js';
import { serviceKeyParameter } from './services.js';
import { periodCodec, type PositionCodec, timeCodec } from './shared/cursors.js';
import { type PageInput, pageOutcome, PageQuery } from './shared/lists.js';
import { Choice } from './shared/parameters.js';
import { From, timeRange, To } from './shared/time-range.js';
import { apiRoute, STATUS_ANSWER } from './shared/route.js';
import { date, flag, from, instant, integer, list, named, type NamedSchema, nullable, provenance, ref, text } from './shared/schema.js';

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
    const pageOf = <Item extends object, Position>(list: ListOf<Item, Position>, codec: PositionCodec<Position>, { write }: NamedSchema) => {
      const execute = (page: PageInput<Position>) => list.execute({ ...input, ...page }, { signal: call.signal });
      return pageOutcome(ID, { codec, execute, present: (item) => write(item) }, call, context);
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
