import { BUILD_STATES } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import type { ListInput } from './kind-parts.js';
import { itemPresenter } from './kind-view.js';
import { ownRepository, repositorySchema } from './repositories.js';
import type { ViewContext } from './shared/endpoint.js';
import { listController, timeCodec } from './shared/lists.js';
import { kindSchema } from './shared/kind-schema.js';
import { RepositoryFilter, TextFilter, ValuesFilter } from './shared/parameters.js';
import { From, PageQuery, To } from './shared/query.js';
import { listRoute } from './shared/route.js';
import { provenanceSchema } from './shared/schema.js';

export const buildSchema = kindSchema(['Build', 'A run of a build of an approved repository.'], 'build', { repository: ownRepository }, [
  repositorySchema,
  provenanceSchema,
]);

export const presentBuild = itemPresenter('build', buildSchema);

class ListBuildsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @TextFilter('Only builds of this branch, by its exact name.', 'main') readonly branch?: string;
  @ValuesFilter('Only builds in this state.', { values: BUILD_STATES, example: 'failed' }) readonly state?: readonly string[];
  @From('startedAt (else finishedAt)') readonly from?: string;
  @To('startedAt (else finishedAt)') readonly to?: string;
}

export const listBuildsRoute = listRoute({
  id: 'listBuilds',
  path: '/api/v1/development/builds',
  tag: 'Development',
  summary: 'List builds',
  description: 'Builds of approved repositories, newest first by `startedAt`, or by `finishedAt` where it is not known.',
  query: ListBuildsQuery,
  schema: buildSchema,
  shows: ['build'],
});

export function buildsView(context: ViewContext): Endpoint {
  return listController(listBuildsRoute, context, {
    codec: timeCodec,
    execute: (page, { query, context: own }) => context.useCases.listBuilds.execute({ ...(query.filters() as ListInput<'build'>), ...page }, own()),
    present: (item) => presentBuild(item, context.links),
  });
}
