import { kindSchema } from './shared/kind-schema.js';
import { type Incident, INCIDENT_STATES, type IncidentService, type IncidentUpdate, isUnresolved, type UseCases } from '@vitrine/core';
import { timeCodec } from '../serving/cursor.js';
import type { Endpoint } from '../serving/router.js';
import { NEWEST_INCIDENTS } from './service-strips.js';
import type { ControllerContext } from './shared/endpoint.js';
import { recordPageEndpoint } from './shared/page-endpoints.js';
import type { NeighbourList } from './shared/neighbours.js';
import { type PageContext, pageOf } from './shared/page.js';
import { filterValue, TextFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentOptionalInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, timeRange, To } from './shared/query.js';
import { listController, listedRecordController } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

export const incidentSchema = kindSchema(
  ['Incident', 'A disturbance of services, or planned work on them.'],
  'incident',
  { href: ownPath('/api/v1/status/incidents/inc_2026-11-20-errors') },
  [provenanceSchema],
);

class ListIncidentsQuery extends PageQuery {
  @ValuesFilter('Only incidents in this state; `open`: in any that is not resolved, postmortem or completed.', {
    values: INCIDENT_STATES,
    example: 'open',
    short: { open: INCIDENT_STATES.filter((state) => isUnresolved({ state })) },
  })
  readonly state?: readonly string[];
  @WordFilter('Only incidents that concern this service, by its key.', 'acme:widget-api') readonly service?: string;
  @TextFilter('Only incidents that cover this detected incident, by its id.', 'detected:acme:widget-api:20261120T135500Z') readonly covers?: string;
  @From('startedAt') readonly from?: string;
  @To('startedAt') readonly to?: string;

  override filters() {
    return { state: filterValue(this.state), service: this.service ?? null, covers: this.covers ?? null, ...timeRange(this) };
  }
}

export function presentIncident(incident: Incident, links: Links) {
  return {
    id: incident.id,
    title: incident.title,
    kind: incident.incidentKind,
    state: incident.state,
    impact: incident.impact,
    services: incident.services.map(presentIncidentService),
    startedAt: presentInstant(incident.startedAt),
    updatedAt: presentInstant(incident.updatedAt),
    resolvedAt: presentOptionalInstant(incident.resolvedAt),
    scheduledFor: presentOptionalInstant(incident.scheduledFor),
    scheduledUntil: presentOptionalInstant(incident.scheduledUntil),
    announcedAt: presentOptionalInstant(incident.announcedAt),
    updates: incident.updates.map(presentUpdate),
    sourceUrl: incident.sourceUrl,
    provenance: presentProvenance(incident.provenance),
    covers: incident.covers ?? [],
    confirmingChecks: incident.confirmingChecks ?? null,
    endUncertain: incident.endUncertain ?? null,
    href: links.record('incident', incident.id),
  };
}

function presentIncidentService({ key, displayName, impacts }: IncidentService) {
  return {
    key,
    displayName,
    impacts: impacts.map(({ state, startAt, endAt }) => ({ state, startAt: presentInstant(startAt), endAt: presentOptionalInstant(endAt) })),
  };
}

function presentUpdate({ id, state, body, createdAt }: IncidentUpdate) {
  return { id, state, body, createdAt: presentInstant(createdAt) };
}

export const listIncidentsRoute = listRoute({
  id: 'listIncidents',
  path: '/api/v1/status/incidents',
  tag: 'Status',
  summary: 'List incidents',
  description: 'Incidents and planned maintenance, newest first by `startedAt`.',
  query: ListIncidentsQuery,
  schema: incidentSchema,
  shows: ['incident'],
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
});

export const getIncidentRoute = recordRoute({
  id: 'getIncident',
  path: '/api/v1/status/incidents/{id}',
  tag: 'Status',
  summary: 'Get an incident',
  description: 'One incident.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the incident.', 'inc_2026-11-20-errors')],
  schema: incidentSchema,
  shows: ['incident'],
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
});

function incidentList({ listIncidents }: Pick<UseCases, 'listIncidents'>): NeighbourList<Incident> {
  const all = { state: null, service: null, covers: null };
  return {
    recordIn: (incident) => incident,
    read:
      (_incident, { signal }) =>
      (page) =>
        listIncidents.execute({ ...page, ...all }, { signal }),
  };
}

/** The list of incidents, and one incident. */
export function incidentViews({ listIncidents, getIncident }: UseCases, context: ControllerContext): readonly Endpoint[] {
  const present = (incident: Incident) => presentIncident(incident, context.links);
  return [
    listController(listIncidentsRoute, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => listIncidents.execute({ ...query.filters(), ...page }, { signal }),
      present,
    }),
    listedRecordController(getIncidentRoute, context, {
      execute: ({ id = '' }, { signal }) => getIncident.execute({ id }, { signal }),
      list: incidentList({ listIncidents }),
      present,
    }),
  ];
}

export const incidentPageRoute = pageOf(getIncidentRoute);

/** The page of one incident. */
export function incidentPage(context: PageContext): Endpoint {
  const { useCases, pages } = context;
  return recordPageEndpoint(incidentPageRoute, context, {
    execute: ({ params, signal }) => useCases.getIncident.execute({ id: params['id'] ?? '' }, { signal }),
    list: incidentList(useCases),
    render: async (data, parts) => {
      const { id, incidentKind } = data.item;
      // A declared incident names the detected ones that it covers.
      const covering =
        incidentKind === 'detected'
          ? await parts.read('incident', (signal) => useCases.listIncidents.execute({ ...NEWEST_INCIDENTS, service: null, covers: id }, { signal }))
          : null;
      return pages.incident({ ...data, ...parts.currency, coveredBy: covering?.items ?? [] });
    },
  });
}
