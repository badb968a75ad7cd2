import { INCIDENT_IMPACTS, INCIDENT_KINDS, INCIDENT_STATES, SERVICE_STATES, UPTIME_WINDOWS } from '@vitrine/core';
import { commitSchema, findingSchema, releaseSchema } from './development.js';
import { newsSchema } from './content.js';
import { closed, flag, instant, integer, list, named, nullable, optional, percent, record, ref, text, url, type Field } from './schema.js';
import { ownPath, provenanceSchema } from './shared.js';

const provenance = ref(provenanceSchema, 'Where the record comes from.');
const serviceKey = text('Stable key of the service: `<provider>:<component>`.', 'acme:widget-api');
const state = (description: string, example = 'operational') => closed(description, SERVICE_STATES, example);

const stateCountsSchema = named('CheckCounts', 'How many checks of each state there are.', {
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

const uptime = nullable(
  percent('Share of the rated checks in which the service was up, in percent with at most two decimals; `null` if no check was rated.', 90),
);
const tracked = integer('Stored rated checks that the figure is computed from.', 10);
const coverage = nullable(
  percent('Share of the time since tracking began that is covered by valid checks, in percent; `null` if that time is zero.', 100),
);
const latency = nullable(ref(latencySchema, 'Response times of the checks in which it was up; `null` if none was measured.'));

const windowFigure = (name: string, days: number): Field =>
  record({ uptimePercent: uptime, checksTracked: tracked }, `The last ${String(days)} × 24 hours (${name}).`);

export const serviceStatusSchema = named(
  'ServiceStatus',
  'Health of one public service, from stored checks only.',
  {
    key: serviceKey,
    displayName: text('Human label.', 'Widget API'),
    currentState: state('Worst state that a still valid check vouches for; `unknown` without one.'),
    healthUrl: url('Public address that is checked.', 'https://widget.acme.example/health'),
    lastCheckedAt: nullable(instant('Time of the newest stored check; `null` when never checked.', '2026-11-20T13:59:00.000Z')),
    trackedFrom: nullable(instant('Time of the earliest stored check; `null` when never checked.', '2026-11-20T13:50:00.000Z')),
    checksTracked: tracked,
    uptimePercent: uptime,
    uptimeWindowDays: integer('Window of `uptimePercent`, in days of 24 hours.', 90),
    provenance,
    lastKnownState: nullable(state('The newest state that was found, however long ago; `null` when never.')),
    checks: ref(stateCountsSchema, 'Stored checks in the window, by state.'),
    coveragePercent: coverage,
    windows: record(
      Object.fromEntries(Object.entries(UPTIME_WINDOWS).map(([name, days]) => [name, windowFigure(name, days)])),
      'The figure over other windows.',
    ),
    sinceStart: record({ uptimePercent: uptime, checksTracked: tracked }, 'The figure over all time, from `trackedFrom` on.'),
    responseTimeMs: latency,
    stateSince: nullable(instant('Since when the service has its current state; `null` when never checked.', '2026-11-20T13:57:00.000Z')),
    stateReason: nullable(text('The provider’s own word in the check that decides the state; `null` if no check is valid.', '200')),
    dependency: optional(flag('Present and `true` if somebody else runs the service. It then does not count in `overallState`.', true)),
    group: optional(text('The name of the group in which pages show it. Absent: it is in none.', 'APIs')),
    order: optional(integer('Its place among the services: smaller numbers come first, services without one last.', 1)),
    href: ownPath('/api/v1/status/services/acme%3Awidget-api'),
  },
  [stateCountsSchema, latencySchema, provenanceSchema],
);

export const incidentSchema = named(
  'Incident',
  'A disturbance of services, or planned work on them.',
  {
    id: text('Stable public id.', 'inc_2026-11-20-errors'),
    title: text('What happens.', 'Errors on the widget API'),
    kind: closed('Declared by people, detected from checks, or planned.', INCIDENT_KINDS, 'declared'),
    state: closed('State of the incident; the last four belong to planned work.', INCIDENT_STATES, 'resolved'),
    impact: closed('Severity.', INCIDENT_IMPACTS, 'major'),
    services: list(
      'The services concerned.',
      record(
        {
          key: serviceKey,
          displayName: text('Human label.', 'Widget API'),
          impacts: list(
            'The effect on the service, by period.',
            record(
              {
                state: state('State of the service.', 'outage'),
                startAt: instant('Start.', '2026-11-20T13:55:00.000Z'),
                endAt: nullable(instant('End; `null` while it lasts.', '2026-11-20T13:56:00.000Z')),
              },
              'One period.',
            ),
          ),
        },
        'One service.',
      ),
    ),
    startedAt: instant('When it began.', '2026-11-20T13:55:00.000Z'),
    updatedAt: instant('When it last changed.', '2026-11-20T13:58:00.000Z'),
    resolvedAt: nullable(instant('When it ended; `null` while it lasts.', '2026-11-20T13:57:00.000Z')),
    scheduledFor: nullable(instant('Planned beginning.', '2026-12-01T02:00:00.000Z'), null),
    scheduledUntil: nullable(instant('Planned end.', '2026-12-01T04:00:00.000Z'), null),
    announcedAt: nullable(instant('When it was announced.', '2026-11-25T09:00:00.000Z'), null),
    updates: list(
      'What was said about it, newest first.',
      record(
        {
          id: text('Stable public id.', 'inc_2026-11-20-errors~1'),
          state: closed('State at that time.', INCIDENT_STATES, 'investigating'),
          body: text('The text.', 'Requests fail.'),
          createdAt: instant('When it was said.', '2026-11-20T13:55:40.000Z'),
        },
        'One update.',
      ),
    ),
    sourceUrl: nullable(url('Public address of the incident.', 'https://status.acme.example/incidents/1'), null),
    provenance,
    covers: list(
      'The ids of detected incidents that are the same event.',
      text('Id of a detected incident.', 'detected:acme:widget-api:20261120T135500Z'),
    ),
    confirmingChecks: nullable(integer('Of a detected incident: how many checks found the outage. Otherwise `null`.', 3), null),
    endUncertain: nullable(flag('Of a detected incident: `true` if no check shows when the outage ended. Otherwise `null`.', false), null),
    href: ownPath('/api/v1/status/incidents/inc_2026-11-20-errors'),
  },
  [provenanceSchema],
);

export const statusOverviewSchema = named(
  'StatusOverview',
  'Health of all services.',
  {
    overallState: state('The worst state of any service; `unknown` when there is none.'),
    services: list('The services, by key.', ref(serviceStatusSchema, 'A service.')),
    incidents: record(
      {
        current: {
          schema: { type: 'array', description: 'Unresolved incidents, newest first.', items: { $ref: '#/components/schemas/Incident' } },
          example: [],
        },
        historicalAvailable: flag('Whether past incidents can be read.', true),
      },
      'Incidents.',
    ),
    provenance,
  },
  [serviceStatusSchema, incidentSchema, provenanceSchema],
);

export const checkSchema = named(
  'Check',
  'One stored check of a service.',
  {
    serviceKey,
    state: state('What the check found.'),
    rawState: text('The provider’s own word.', '200'),
    checkedAt: instant('When it was checked.', '2026-11-20T13:59:00.000Z'),
    responseTimeMs: nullable(integer('How long the answer took, in milliseconds; `null` when not measured.', 212)),
    provenance,
  },
  [provenanceSchema],
);

const periodFields = {
  state: state('Worst rated state of the time, else maintenance, else unknown.', 'outage'),
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

export const dayStatusSchema = named(
  'DayStatus',
  'One UTC day of a service.',
  { date: text('The day, in UTC.', '2026-11-20', { format: 'date' }), ...periodFields },
  [stateCountsSchema, latencySchema],
);

export const hourStatusSchema = named(
  'HourStatus',
  'One hour of a service.',
  {
    date: text('The UTC day of the hour.', '2026-11-20', { format: 'date' }),
    ...periodFields,
    startAt: instant('When the hour begins.', '2026-11-20T13:00:00.000Z'),
  },
  [stateCountsSchema, latencySchema],
);

export const overviewSchema = named(
  'Overview',
  'The newest of everything.',
  {
    status: nullable(ref(statusOverviewSchema, 'Health of all services; `null` when it cannot be read.')),
    latestCommit: nullable(ref(commitSchema, 'Newest public commit.')),
    latestRelease: nullable(ref(releaseSchema, 'Newest public release.')),
    latestFinding: nullable(ref(findingSchema, 'Newest public finding.')),
    latestNews: list('The five newest records of the feeds.', ref(newsSchema, 'A news record.')),
    partial: flag('Whether a source could not be read; its member is then `null` or empty.', false),
  },
  [statusOverviewSchema, commitSchema, releaseSchema, findingSchema, newsSchema],
);
