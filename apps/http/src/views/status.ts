import { type Instant, statusJudgedAgain, type StatusOverview } from '@vitrine/core';
import { incidents } from './incidents.js';
import { BAR_DAYS, readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { presentService, serviceStatusSchema, state } from './service-status.js';
import { recordRoute } from './shared/lists.js';
import { pageOf } from './shared/page.js';
import type { Links } from './shared/present.js';
import { NoQuery } from './shared/parameters.js';
import { STATUS_ANSWER } from './shared/route.js';
import { flag, list, named, ownProvenance, provenance, record, ref } from './shared/schema.js';

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
  provenance,
});

const PATH = '/api/v1/status';

export function presentStatus(overview: StatusOverview, links: Links, generatedAt: Instant) {
  return {
    overallState: overview.overallState,
    services: overview.services.map((service) => presentService(service, links)),
    incidents: {
      current: overview.incidents.current.map((incident) => incidents.present(incident, links)),
      historicalAvailable: overview.incidents.historicalAvailable,
    },
    provenance: ownProvenance(links.publicUrl + PATH, overview.observedAt ?? generatedAt),
  };
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
  execute: ({ signal }, { useCases }) => useCases.getStatus.execute({}, { signal }),
  present: (overview, { links }, { generatedAt = 0 }) => presentStatus(overview, links, generatedAt),
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
