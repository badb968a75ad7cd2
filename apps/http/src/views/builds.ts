import { BUILD_STATES } from '@vitrine/core';
import type { ListInput } from './kind-parts.js';
import { ownRepository } from './repositories.js';
import { timeCodec } from './shared/cursors.js';
import { kindSchema } from './shared/kind-schema.js';
import { listRoute, PageQuery } from './shared/lists.js';
import { RepositoryFilter, TextFilter, ValuesFilter } from './shared/parameters.js';
import { From, To } from './shared/time-range.js';

export const buildSchema = kindSchema('build', 'A run of a build of an approved repository.', { repository: ownRepository });

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
  codec: timeCodec,
  execute: (page, { query, context }, { useCases }) =>
    useCases.listBuilds.execute({ ...(query.filters() as ListInput<'build'>), ...page }, context()),
});
