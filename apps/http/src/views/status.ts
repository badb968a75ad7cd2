import { type Instant, statusJudgedAgain, type StatusOverview } from '@vitrine/core';
import type { StatusData } from '@vitrine/pages';
import type { Endpoint } from '../serving/router.js';
import { incidents } from './incidents.js';
import { BAR_DAYS, readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { presentService, serviceStatusSchema, state } from './service-status.js';
import type { ViewContext } from './shared/endpoint.js';
import { recordController } from './shared/lists.js';
import { documentEndpoint } from './shared/document.js';
import { type PageContext, pageOf, PageParts } from './shared/page.js';
import type { Links } from './shared/present.js';
import { NoQuery } from './shared/query.js';
import { recordRoute, STATUS_KINDS } from './shared/route.js';
import { flag, list, named, ownProvenance, provenance, provenanceSchema, record, ref } from './shared/schema.js';

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
  [serviceStatusSchema, incidents.schema, provenanceSchema],
);

export interface StatusContext {
  readonly links: Links;
  /** Public address of the status overview, the origin of computed states. */
  readonly statusUrl: string;
  readonly generatedAt: Instant;
}

export function presentStatus(overview: StatusOverview, { links, statusUrl, generatedAt }: StatusContext) {
  return {
    overallState: overview.overallState,
    services: overview.services.map((service) => presentService(service, links)),
    incidents: {
      current: overview.incidents.current.map((incident) => incidents.present(incident, links)),
      historicalAvailable: overview.incidents.historicalAvailable,
    },
    provenance: ownProvenance(statusUrl, overview.observedAt ?? generatedAt),
  };
}

export const getStatusRoute = recordRoute({
  id: 'getStatus',
  path: '/api/v1/status',
  tag: 'Status',
  summary: 'Get the status overview',
  description: 'Health of all services, and of the whole: the worst of them. Nothing is operational without a stored check that is still valid.',
  query: NoQuery,
  schema: statusOverviewSchema,
  shows: STATUS_KINDS,
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
  isVital: true,
  budgetMs: 1_000,
});

export function statusView(context: ViewContext): Endpoint {
  return recordController(
    getStatusRoute,
    context,
    (_params, { signal }) => context.useCases.getStatus.execute({}, { signal }),
    (overview, { generatedAt = 0 }) =>
      presentStatus(overview, { links: context.links, statusUrl: context.publicUrl + getStatusRoute.path, generatedAt }),
    statusJudgedAgain,
  );
}

export const statusPageRoute = pageOf(getStatusRoute);

export function statusPage(context: PageContext): Endpoint {
  const { pages, deadlines } = context;
  return documentEndpoint(statusPageRoute, context, async ({ signal }) => {
    const parts = new PageParts(deadlines, signal);
    const [read, named] = await Promise.all([parts.need(statusWithDays(context, BAR_DAYS)), readNamed(context, parts)]);
    const { status } = read;
    const data: StatusData = { ...parts.currency, status, ...stripsOf(read, named) };
    return {
      ...parts.currency,
      text: () => pages.status(data),
      again: (now) => pages.again.status({ ...data, status: statusJudgedAgain(status, now) }),
    };
  });
}
