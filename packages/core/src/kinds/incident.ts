import { called, choice, flag, list, nullable, optional, part, text, time, whole, type KindFacts, type Field, type WithFields } from './fields.js';
import { SERVICE_STATES } from './check.js';
import { origin } from './provenance.js';

export const INCIDENT_KINDS = ['declared', 'detected', 'maintenance'] as const;
/** The states of incidents that people declare or checks detect, in their usual order. */
export const DECLARED_STATES = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const;
/** The states of planned maintenance, in their usual order. */
export const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;
export const INCIDENT_STATES = [...DECLARED_STATES, ...MAINTENANCE_STATES] as const;
export const INCIDENT_IMPACTS = ['none', 'minor', 'major', 'critical', 'maintenance'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

const ENDED: ReadonlySet<IncidentState> = new Set<IncidentState>(['resolved', 'postmortem', 'completed']);

export function isUnresolved(incident: Pick<Incident, 'state'>): boolean {
  return !ENDED.has(incident.state);
}

/** The states that an incident of a kind, and each of its updates, can have. */
export function incidentStatesOf(kind: Incident['incidentKind']): readonly IncidentState[] {
  return kind === 'maintenance' ? MAINTENANCE_STATES : DECLARED_STATES;
}

/** The incidents that no other of the list covers, in the same order. */
export function withoutCovered(incidents: readonly Incident[]): readonly Incident[] {
  const covered = new Set(incidents.flatMap(({ covers = [] }) => covers));
  return incidents.filter(({ id, incidentKind }) => incidentKind !== 'detected' || !covered.has(id));
}

/** The most detected incidents that one other can cover. */
const MOST_COVERED = 200;

const impact = part(
  'state, startAt and endAt',
  {
    state: choice(SERVICE_STATES, 'State of the service.', 'outage'),
    startAt: time('Start.', '2026-11-20T13:55:00.000Z'),
    endAt: nullable(time('End; `null` while it lasts.', '2026-11-20T13:56:00.000Z')),
  },
  'One period.',
);

const concernedFields = {
  key: text('otherKey', 'Stable key of the service: `<provider>:<component>`.', 'acme:widget-api'),
  displayName: text('line', 'Human label.', 'Widget API'),
  impacts: list('impacts', impact, 'The effect on the service, by period.'),
};
export interface IncidentService extends WithFields<typeof concernedFields> {}
const concerned: Field<IncidentService> = part('key, displayName and impacts', concernedFields, 'One service.');

const updateFields = {
  id: text('partId', 'Stable public id.', 'inc_2026-11-20-errors~1'),
  state: choice(INCIDENT_STATES, 'State at that time.', 'investigating'),
  body: text('body', 'The text.', 'Requests fail.'),
  createdAt: time('When it was said.', '2026-11-20T13:55:40.000Z'),
};
export interface IncidentUpdate extends WithFields<typeof updateFields> {}
const update: Field<IncidentUpdate> = part('id, state, body and createdAt', updateFields, 'One update.');

const detectedId = text('partId', 'Id of a detected incident.', 'detected:acme:widget-api:20261120T135500Z');

const fields = {
  id: text('id', 'Stable public id.', 'inc_2026-11-20-errors'),
  title: text('title', 'What happens.', 'Errors on the widget API'),
  /** The API calls this field `kind`. */
  incidentKind: called('kind', choice(INCIDENT_KINDS, 'Declared by people, detected from checks, or planned.', 'declared')),
  state: choice(INCIDENT_STATES, 'State of the incident; the last four belong to planned work.', 'resolved'),
  impact: choice(INCIDENT_IMPACTS, 'Severity.', 'major'),
  services: list('services', concerned, 'The services concerned.'),
  startedAt: time('When it began.', '2026-11-20T13:55:00.000Z'),
  updatedAt: time('When it last changed.', '2026-11-20T13:58:00.000Z'),
  resolvedAt: nullable(time('When it ended; `null` while it lasts.', '2026-11-20T13:57:00.000Z')),
  scheduledFor: nullable(time('Planned beginning.', '2026-12-01T02:00:00.000Z'), null),
  scheduledUntil: nullable(time('Planned end.', '2026-12-01T04:00:00.000Z'), null),
  announcedAt: nullable(time('When it was announced.', '2026-11-25T09:00:00.000Z'), null),
  updates: list('updates', update, 'What was said about it, newest first.'),
  sourceUrl: nullable(text('url', 'Public address of the incident.', 'https://status.acme.example/incidents/1'), null),
  provenance: origin,
  /** The ids of detected incidents that are the same event. Absent means none. */
  covers: optional(list('ids of detected incidents', detectedId, 'The ids of detected incidents that are the same event.', MOST_COVERED), []),
  /** Of a detected incident: the number of checks that found the outage. Otherwise absent or `null`. */
  confirmingChecks: optional(nullable(whole('Of a detected incident: how many checks found the outage. Otherwise `null`.', 3), null), null),
  /** Of a detected incident: `true` if no check shows when the outage ended. Otherwise absent or `null`. */
  endUncertain: optional(
    nullable(flag('Of a detected incident: `true` if no check shows when the outage ended. Otherwise `null`.', false), null),
    null,
  ),
};

export interface Incident extends WithFields<typeof fields> {
  readonly kind: 'incident';
}

export const INCIDENT_FACTS = {
  plural: 'incidents',
  ownership: 'never',
  reader: 'own',
  times: ['startedAt'],
  filters: { covers: 'covers', service: 'services.key', state: 'state', kind: 'incidentKind' },
  searched: { title: 'title', 'updates.body': 'text', 'services.displayName': 'text' },
  sent: [
    'id',
    'title',
    'incidentKind',
    'state',
    'impact',
    'services',
    'startedAt',
    'updatedAt',
    'resolvedAt',
    'scheduledFor',
    'scheduledUntil',
    'announcedAt',
    'updates',
    'sourceUrl',
    'provenance',
    'covers',
    'confirmingChecks',
    'endUncertain',
    'href',
  ],
  fields,
} as const satisfies KindFacts<Incident>;
