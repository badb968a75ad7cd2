import type { StatuspageSourceConfig } from '@vitrine/config';
import { providerPrefix } from '@vitrine/config/internal';
import { DECLARED_STATES, INCIDENT_IMPACTS, isUnresolved, MAINTENANCE_STATES, parseDateTime, validityOf } from '@vitrine/core';
import type { Check, Incident, IncidentState, Instant, Service, ServiceState } from '@vitrine/core';
import { MAX_TITLE, officialProvenance, publicBody, publicLine } from '../git/public-text.js';
import { canonicalAddress } from '../web-text/web-address.js';
import { plainText } from '../web-text/plain-text.js';
import type { StatuspageComponent, StatuspageIncident, StatuspageSummary } from './statuspage-documents.js';

export interface StatuspageOrigin extends Pick<StatuspageSourceConfig, 'label' | 'services' | 'intervalMs' | 'address' | 'allowPrivate'> {
  readonly pageUrl: string;
  /** Whether the page has no public address. Default: `false`. */
  readonly isHidden?: boolean;
}

const STATES: ReadonlyMap<string, ServiceState> = new Map([
  ['operational', 'operational'],
  ['degraded_performance', 'degraded'],
  ['partial_outage', 'degraded'],
  ['major_outage', 'outage'],
  ['under_maintenance', 'maintenance'],
]);

/** The state of an affected service. Statuspage does not say it for each service. */
const BY_IMPACT: Readonly<Record<Incident['impact'], ServiceState | null>> = {
  none: null,
  minor: 'degraded',
  major: 'degraded',
  critical: 'outage',
  maintenance: 'maintenance',
};

type ShownComponents = ReadonlyMap<string, Pick<StatuspageComponent, 'id' | 'name'>>;

export function chosenComponents({ components }: StatuspageSummary, { services }: StatuspageOrigin) {
  const distinct = distinctNames(components);
  if (services === null) return { chosen: components.filter(({ group }) => !group).map(distinct), missing: [] };
  const namesOf = (component: StatuspageComponent): readonly string[] =>
    [component.id, component.name, distinct(component).name].map((name) => name.toLowerCase());
  const wanted = new Set(services.map((service) => service.toLowerCase()));
  const known = new Set(components.flatMap(namesOf));
  return {
    chosen: components.filter((component) => namesOf(component).some((name) => wanted.has(name))).map(distinct),
    missing: services.filter((service) => !known.has(service.toLowerCase())),
  };
}

/** Puts the group before a name that components of several groups have, such as that of a region. */
function distinctNames(components: readonly StatuspageComponent[]): (component: StatuspageComponent) => StatuspageComponent {
  const groups = new Map(components.filter(({ group }) => group).map(({ id, name }) => [id, name]));
  const parts = components.filter(({ group }) => !group);
  const last = new Map(parts.map(({ id, name }) => [name, id]));
  const repeated = new Set(parts.flatMap(({ id, name }) => (last.get(name) === id ? [] : name)));
  return (component) => {
    const group = groups.get(component.group_id ?? '');
    return group !== undefined && repeated.has(component.name) ? { ...component, name: `${group} / ${component.name}` } : component;
  };
}

/** The service and its check of now. The service keeps the time at which it was observed first, if `now` is the time that the caller filled in. */
export function componentRecords(component: StatuspageComponent, origin: StatuspageOrigin, now: Instant): readonly [Service, Check] {
  const key = keyOf(component.id, origin);
  const provenance = officialProvenance(origin, { sourceUrl: origin.pageUrl, observedAt: now });
  const displayName = nameOf(component, origin);
  const { status } = component;
  return [
    { kind: 'service', key, displayName, healthUrl: origin.pageUrl, dependency: true, firstSeenAt: now, provenance },
    {
      kind: 'check',
      serviceKey: key,
      state: STATES.get(status) ?? 'unknown',
      rawState: /^[a-z_]{1,64}$/.test(status) ? status : 'unknown',
      checkedAt: now,
      responseTimeMs: null,
      validForMs: validityOf(origin.intervalMs),
      provenance,
    },
  ];
}

/** `null` if it states no time, or affects none of the shown services. Its services are in the order of the incident, which stays the same when the page lacks a component. */
export function incidentRecord(incident: StatuspageIncident, shown: ShownComponents, origin: StatuspageOrigin): Incident | null {
  const ids = new Set(incident.components.map((component) => component.id));
  const affected = [...ids].flatMap((component) => shown.get(component) ?? []);
  const createdAt = parseDateTime(incident.created_at);
  if (createdAt === null || (origin.services !== null && affected.length === 0)) return null;
  const id = keyOf(incident.id, origin);
  const times = timesOf(incident, createdAt);
  const isPlanned = times.scheduledFor !== null;
  const state = stateOf(incident.status, isPlanned);
  const impact = isPlanned ? 'maintenance' : (INCIDENT_IMPACTS.find((known) => known === incident.impact) ?? 'none');
  const { startedAt, resolvedAt } = spanOf(times, state);
  const affectedState = BY_IMPACT[impact];
  const impacts = affectedState === null ? [] : [{ state: affectedState, startAt: startedAt, endAt: resolvedAt }];
  return {
    kind: 'incident',
    id,
    title: nameOf(incident, origin),
    incidentKind: isPlanned ? 'maintenance' : 'declared',
    state,
    impact,
    services: affected.map((component) => ({ key: keyOf(component.id, origin), displayName: nameOf(component, origin), impacts })),
    ...times,
    startedAt,
    resolvedAt,
    updates: updatesOf(incident, id, isPlanned),
    sourceUrl: sourceUrlOf(incident, origin),
    provenance: officialProvenance(origin, { sourceUrl: origin.pageUrl, observedAt: times.updatedAt }),
  };
}

/** The address of an incident. One on the server of a private page is not published. */
function sourceUrlOf({ id, shortlink }: StatuspageIncident, { address, allowPrivate, pageUrl, isHidden = false }: StatuspageOrigin): string | null {
  const link = canonicalAddress(shortlink ?? undefined, null);
  const isOn = (other: string): boolean => link !== null && new URL(link).hostname === new URL(other).hostname;
  if (link !== null && !(allowPrivate && isOn(address) && !isOn(pageUrl))) return link;
  return isHidden ? null : `${pageUrl}/incidents/${id}`;
}

/** An incident that has ended has also begun, even if the page says otherwise. The page may leave out the end. */
function spanOf({ startedAt, resolvedAt, updatedAt }: Times, state: IncidentState): Pick<Times, 'startedAt' | 'resolvedAt'> {
  if (isUnresolved({ state })) return { startedAt, resolvedAt: null };
  const endedAt = resolvedAt ?? updatedAt;
  return { startedAt: Math.min(startedAt, endedAt), resolvedAt: endedAt };
}

function nameOf({ name }: { readonly name: string }, { label }: StatuspageOrigin): string {
  return publicLine(`${label}: ${plainText(name)}`, MAX_TITLE);
}

export function keyOf(id: string, origin: StatuspageOrigin): string {
  return `${providerPrefix(origin.label)}:${id}`;
}

type Times = Pick<Incident, 'startedAt' | 'updatedAt' | 'resolvedAt' | 'scheduledFor' | 'scheduledUntil' | 'announcedAt'>;

function timesOf(incident: StatuspageIncident, createdAt: Instant): Times {
  const [scheduledFor, scheduledUntil] = [timeOf(incident.scheduled_for), timeOf(incident.scheduled_until)];
  return {
    startedAt: scheduledFor ?? timeOf(incident.started_at) ?? createdAt,
    updatedAt: timeOf(incident.updated_at) ?? createdAt,
    resolvedAt: timeOf(incident.resolved_at),
    scheduledFor,
    scheduledUntil: scheduledFor !== null && scheduledUntil !== null && scheduledUntil > scheduledFor ? scheduledUntil : null,
    announcedAt: scheduledFor === null ? null : createdAt,
  };
}

function updatesOf({ incident_updates: updates }: StatuspageIncident, id: string, isPlanned: boolean): Incident['updates'] {
  const known = updates.flatMap((update) => {
    const createdAt = timeOf(update.display_at) ?? parseDateTime(update.created_at);
    if (createdAt === null) return [];
    return [{ id: `${id}~${update.id}`, state: stateOf(update.status, isPlanned), body: publicBody(plainText(update.body ?? '')), createdAt }];
  });
  return known.sort((a, b) => b.createdAt - a.createdAt);
}

function stateOf(status: string, isPlanned: boolean): IncidentState {
  const states: readonly IncidentState[] = isPlanned ? MAINTENANCE_STATES : DECLARED_STATES;
  return states.find((known) => known === status) ?? (isPlanned ? 'scheduled' : 'investigating');
}

function timeOf(text: string | null): Instant | null {
  return text === null ? null : parseDateTime(text);
}
