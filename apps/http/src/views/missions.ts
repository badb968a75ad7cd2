import { MISSION_STATUSES } from '@vitrine/core';
import { BY_ID, KindView } from './kind-view.js';
import { filterValue, RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { PageQuery } from './shared/query.js';

class ListMissionsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @ValuesFilter('Only missions of this status.', { values: MISSION_STATUSES, example: 'active', isOpen: true }) readonly status?: readonly string[];

  override filters() {
    return { repository: this.repository ?? null, status: filterValue(this.status) };
  }
}

export const missions = new KindView({
  kind: 'mission',
  path: '/api/v1/missions',
  tag: 'Development',
  schema: ['Mission', 'A public goal and its progress.'],
  list: {
    id: 'listMissions',
    summary: 'List missions',
    description: 'Missions, newest first by `createdAt`.',
    query: ListMissionsQuery,
    use: ({ listMissions }) => listMissions,
  },
  get: {
    id: 'getMission',
    summary: 'Get a mission',
    description: 'One mission.',
    parameter: idParameter('Id of the mission.', 'msn_public-read-api'),
    ...BY_ID,
    use: ({ getMission }) => getMission,
  },
  pages: {
    list: (pages) => pages.missions,
    record:
      ({ pages }) =>
      (data) =>
      () =>
        pages.mission(data),
  },
});
