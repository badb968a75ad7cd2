import { idParameter, serviceKeyParameter } from '../requests/path-parameters.js';
import { NoQuery } from '../requests/query.js';
import { ListIncidentsQuery, ServiceHistoryQuery } from '../requests/status-queries.js';
import { checkSchema, dayStatusSchema, incidentSchema, serviceStatusSchema, statusOverviewSchema } from '../schemas/status.js';
import { listRoute, recordRoute } from './route.js';

export const statusRoutes = {
  getStatus: recordRoute({
    id: 'getStatus',
    path: '/api/v1/status',
    tag: 'Status',
    summary: 'Get the status overview',
    description: 'Health of all services, and of the whole: the worst of them. Nothing is operational without a stored check that is still valid.',
    query: NoQuery,
    schema: statusOverviewSchema,
    isComposed: true,
    cache: 'live',
    holdsRepositories: false,
    isVital: true,
    budgetMs: 1_000,
  }),
  getService: recordRoute({
    id: 'getService',
    path: '/api/v1/status/services/{key}',
    tag: 'Status',
    summary: 'Get the status of a service',
    description: 'Health of one service.',
    query: NoQuery,
    pathParameters: [serviceKeyParameter],
    schema: serviceStatusSchema,
    isComposed: true,
    cache: 'live',
    holdsRepositories: false,
  }),
  getServiceHistory: listRoute({
    id: 'getServiceHistory',
    path: '/api/v1/status/services/{key}/history',
    tag: 'Status',
    summary: 'Get the history of a service',
    description:
      'The stored checks of a service, or its UTC days, newest first. Days without a range are those of the uptime window, both ends cut at it, so that their counts sum to the published figures.',
    query: ServiceHistoryQuery,
    pathParameters: [serviceKeyParameter],
    schema: [checkSchema, dayStatusSchema],
    isComposed: true,
    cache: 'live',
    holdsRepositories: false,
  }),
  listIncidents: listRoute({
    id: 'listIncidents',
    path: '/api/v1/status/incidents',
    tag: 'Status',
    summary: 'List incidents',
    description: 'Incidents and planned maintenance, newest first by `startedAt`.',
    query: ListIncidentsQuery,
    schema: incidentSchema,
    isComposed: true,
    cache: 'live',
    holdsRepositories: false,
  }),
  getIncident: recordRoute({
    id: 'getIncident',
    path: '/api/v1/status/incidents/{id}',
    tag: 'Status',
    summary: 'Get an incident',
    description: 'One incident.',
    query: NoQuery,
    pathParameters: [idParameter('Id of the incident.', 'inc_2026-11-20-errors')],
    schema: incidentSchema,
    isComposed: true,
    cache: 'live',
    holdsRepositories: false,
  }),
} as const;
