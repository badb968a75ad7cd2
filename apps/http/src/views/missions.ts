import { kindSchema } from './shared/kind-schema.js';
import { type Mission, MISSION_STATUSES, type UseCases, type WithOptionalRepository } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { optionalRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import type { ControllerContext } from './shared/endpoint.js';
import { kindPages } from './shared/page-endpoints.js';
import { type PageContext, pageOf } from './shared/page.js';
import { filterValue, RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentOptionalInstant, presentProvenance } from './shared/present.js';
import { RecordQuery, PageQuery } from './shared/query.js';
import { kindControllers } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

export const missionSchema = kindSchema(
  ['Mission', 'A public goal and its progress.'],
  'mission',
  { repository: optionalRepository, href: ownPath('/api/v1/missions/msn_public-read-api') },
  [repositorySchema, provenanceSchema],
);

class ListMissionsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @ValuesFilter('Only missions of this status.', { values: MISSION_STATUSES, example: 'active', isOpen: true }) readonly status?: readonly string[];

  override filters() {
    return { repository: this.repository ?? null, status: filterValue(this.status) };
  }
}

export function presentMission({ record, repository }: WithOptionalRepository<Mission>, links: Links) {
  const { completed, total, percent } = record.progress;
  return {
    id: record.id,
    title: record.title,
    summary: record.summary,
    status: record.status,
    progress: { completed, total, percent },
    labels: record.labels,
    createdAt: presentInstant(record.createdAt),
    startedAt: presentOptionalInstant(record.startedAt),
    targetAt: presentOptionalInstant(record.targetAt),
    completedAt: presentOptionalInstant(record.completedAt),
    url: record.url,
    repository: presentOptionalRepository(repository, links),
    provenance: presentProvenance(record.provenance),
    href: links.record('mission', record.id),
  };
}

export const listMissionsRoute = listRoute({
  id: 'listMissions',
  path: '/api/v1/missions',
  tag: 'Development',
  summary: 'List missions',
  description: 'Missions, newest first by `createdAt`.',
  query: ListMissionsQuery,
  schema: missionSchema,
  shows: ['mission'],
});

export const getMissionRoute = recordRoute({
  id: 'getMission',
  path: '/api/v1/missions/{id}',
  tag: 'Development',
  summary: 'Get a mission',
  description: 'One mission.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the mission.', 'msn_public-read-api')],
  schema: missionSchema,
  shows: ['mission'],
});

/** The list of missions, and one mission. */
export function missionViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return kindControllers(context, {
    list: [listMissionsRoute, useCases.listMissions],
    get: [getMissionRoute, useCases.getMission],
    present: (view) => presentMission(view, context.links),
  });
}

export const missionsPageRoute = pageOf(listMissionsRoute);
export const missionPageRoute = pageOf(getMissionRoute);

/** The page of the list of missions, and the page of each. */
export function missionPages(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return kindPages(context, {
    list: [missionsPageRoute, useCases.listMissions, pages.missions],
    record: [missionPageRoute, useCases.getMission, pages.mission],
  });
}
