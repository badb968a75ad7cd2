import { MISSION_STATUSES } from '@vitrine/core';
import { KindView } from './kind-view.js';
import { RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';

class ListMissionsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @ValuesFilter('Only missions of this status.', { values: MISSION_STATUSES, example: 'active', isOpen: true }) readonly status?: readonly string[];
}

export const missions = new KindView({
  kind: 'mission',
  path: '/api/v1/missions',
  tag: 'Development',
  description: 'A public goal and its progress.',
  list: { description: 'Missions, newest first by `createdAt`.', query: ListMissionsQuery },
  get: {
    summary: 'Get a mission',
    description: 'One mission.',
    example: 'msn_public-read-api',
  },
  pages: { list: (pages) => pages.missions, record: (pages) => pages.mission },
});
