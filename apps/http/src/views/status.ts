import { formatDate, SERVICE_STATES, statusJudgedAgain, UPTIME_WINDOW_DAYS, UPTIME_WINDOWS } from '@vitrine/core';
import type { Instant, ServiceStatus, StatusOverview } from '@vitrine/core';
import { incidents } from './incidents.js';
import { BAR_DAYS, readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { recordRoute } from './shared/lists.js';
import { pageOf } from './shared/page.js';
import { NoQuery } from './shared/parameters.js';
import { STATUS_ANSWER } from './shared/route.js';
import {
  addressMembers,
  closed,
  type Field,
  flag,
  from,
  instant,
  integer,
  list,
  named,
  nullable,
  optional,
  ownProvenance,
  percent,
  provenance,
  record,
  ref,
  text,
  url,
} from './shared/schema.js';

export const serviceKey = text('Stable key of the service: `<provider>:<component>`.', 'acme:widget-api');
export const state = (description: string, example = 'operational') => closed(description, SERVICE_STATES, example);

export const stateCountsSchema = named('CheckCounts', 'How many checks of each state there are.', {
  operational: integer('Checks in which the service worked.', 8),
  degraded: integer('Checks in which it was slow or partly failing; they count as up.', 1),
  outage: integer('Checks in which it was down.', 1),
  maintenance: integer('Checks during planned work; not rated.', 0),
  unknown: integer('Checks without a result; not rated.', 0),
});

const latencySchema = named('Latency', 'Response times, in whole milliseconds; quantiles are exact to 5 %.', {
  p50: integer('Half of the checks were answered in this time or less, in milliseconds.', 212),
  p95: integer('95 % of the checks were answered in this time or less, in milliseconds.', 212),
  max: integer('The slowest answer, in milliseconds.', 212),
});

export const uptime = nullable(
  percent('Share of the rated checks in which the service was up, in percent with at most two decimals; `null` if no check was rated.', 90),
);

const tracked = integer('Stored rated checks that the figure is computed from.', 10);

export const coverage = nullable(
  percent('Share of the time since tracking began that is covered by valid checks, in percent; `null` if that time is zero.', 100),
);

export const latency = nullable(ref(latencySchema, 'Response times of the checks in which it was up; `null` if none was measured.'));

const uptimeFigureSchema = named('UptimeFigure', 'The uptime over a time.', { uptimePercent: uptime, checksTracked: tracked });

const windowFigure = (name: string, days: number): Field =>
  ref(uptimeFigureSchema, `The last ${String(days)} × 24 hours (${name}), from the beginning of an hour on.`);

const MONTH_LENGTH = 'YYYY-MM'.length;

const months = from(
  'shownMonths',
  optional(
    list(
      'Only with `include=months`: the present UTC month and up to eleven before it, newest first, from `trackedFrom` on.',
      record(
        {
          month: {
            ...text('The month, in UTC.', '2026-11', { pattern: '^\\d{4}-\\d{2}$' }),
            write: (month) => formatDate(month as Instant).slice(0, MONTH_LENGTH),
          },
          uptimePercent: uptime,
          checksTracked: tracked,
          outageMs: nullable(integer('Milliseconds in outage; `null` if that is not known.', 60_000)),
        },
        'One month.',
      ),
    ),
  ),
);

const { href, pageUrl } = addressMembers('/api/v1/status/services/acme%3Awidget-api', ({ key }: ServiceStatus) => ['status-service', key]);

export const serviceStatusSchema = named('ServiceStatus', 'Health of one public service, from stored checks only.', {
  key: serviceKey,
  displayName: text('Human label.', 'Widget API'),
  currentState: state('Worst state that a still valid check vouches for; `unknown` without one.'),
  healthUrl: url('Public address that is checked.', 'https://widget.acme.example/health'),
  lastCheckedAt: nullable(instant('Time of the newest stored check; `null` when never checked.', '2026-11-20T13:59:00.000Z')),
  trackedFrom: nullable(instant('Time of the earliest stored check; `null` when never checked.', '2026-11-20T13:50:00.000Z')),
  checksTracked: tracked,
  uptimePercent: uptime,
  uptimeWindowDays: from(() => UPTIME_WINDOW_DAYS, integer('Window of `uptimePercent`, in days of 24 hours; it begins at a full hour.', 90)),
  provenance,
  lastKnownState: nullable(state('The newest state that was found, however long ago; `null` when never.')),
  checks: ref(stateCountsSchema, 'Stored checks in the window, by state.'),
  coveragePercent: coverage,
  windows: record(
    Object.fromEntries(Object.entries(UPTIME_WINDOWS).map(([name, days]) => [name, windowFigure(name, days)])),
    'The figure over other windows.',
  ),
  sinceStart: ref(uptimeFigureSchema, 'The figure over all time, from `trackedFrom` on.'),
  responseTimeMs: latency,
  stateSince: nullable(instant('Since when the service has its current state; `null` when never checked.', '2026-11-20T13:57:00.000Z')),
  stateReason: nullable(text('The provider’s own word in the check that decides the state; `null` if no check is valid.', '200')),
  dependency: from(
    ({ dependency }: ServiceStatus) => dependency || undefined,
    optional(flag('Present and `true` if somebody else runs the service. It then does not count in `overallState`.', true)),
  ),
  group: from(
    ({ group }: ServiceStatus) => group ?? undefined,
    optional(text('The name of the group in which pages show it. Absent: it is in none.', 'APIs')),
  ),
  order: from(
    ({ order }: ServiceStatus) => order ?? undefined,
    optional(integer('Its place among the services: smaller numbers come first, services without one last.', 1)),
  ),
  pageUrl,
  months,
  href,
});

const PATH = '/api/v1/status';

export const statusOverviewSchema = named('StatusOverview', 'Health of all services.', {
  overallState: state('The worst state of any service; `unknown` when there is none.'),
  services: list('The services, by key.', ref(serviceStatusSchema, 'A service.')),
  incidents: record(
    {
      current: { ...list('Unresolved incidents, newest first.', ref(incidents.schema)), example: [] },
      historicalAvailable: flag('Whether past incidents can be read.', true),
    },
    'Incidents.',
  ),
  provenance: ownProvenance(PATH),
});

/** A status without a check is observed when it is made. */
export function observed(overview: StatusOverview, generatedAt: Instant) {
  return { ...overview, observedAt: overview.observedAt ?? generatedAt };
}

export const getStatusRoute = recordRoute({
  id: 'getStatus',
  path: PATH,
  ...STATUS_ANSWER,
  summary: 'Get the status overview',
  description: 'Health of all services, and of the whole: the worst of them. Nothing is operational without a stored check that is still valid.',
  query: NoQuery,
  schema: statusOverviewSchema,
  isVital: true,
  budgetMs: 1_000,
  execute: async ({ signal }, { useCases }) => {
    const answer = await useCases.getStatus.execute({}, { signal });
    return { ...answer, data: observed(answer.data, answer.generatedAt) };
  },
  judgedAgain: statusJudgedAgain,
});

export const statusPage = pageOf(getStatusRoute, {
  read: async (_call, parts, context) => {
    const [read, named] = await Promise.all([parts.need(statusWithDays(context, BAR_DAYS)), readNamed(context, parts)]);
    return { status: read.status, ...stripsOf(read, named) };
  },
  draw: (pages) => pages.status,
  again: (pages, data, now) => pages.again.status({ ...data, status: statusJudgedAgain(data.status, now) }),
});
