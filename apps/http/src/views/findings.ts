import { CHANGE_TYPES, FINDING_STATUSES } from '@vitrine/core';
import { findingEntry } from '@vitrine/feeds';
import { KindView } from './kind-view.js';
import { RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';
import { From, To } from './shared/time-range.js';

class ListFindingsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @ValuesFilter('Only findings of this status.', { values: FINDING_STATUSES, example: 'EXPERIMENTAL', isOpen: true })
  readonly status?: readonly string[];
  @ValuesFilter('Only findings of this change type.', { values: CHANGE_TYPES, example: 'tests', isOpen: true })
  readonly changeType?: readonly string[];
  @From('detectedAt') readonly from?: string;
  @To('detectedAt') readonly to?: string;
}

export const findings = new KindView({
  kind: 'finding',
  path: '/api/v1/development/findings',
  tag: 'Development',
  description: 'What the service concluded from public development activity.',
  list: { description: 'Findings about approved repositories, newest first by `detectedAt`. Retracted ones stay visible.', query: ListFindingsQuery },
  get: {
    summary: 'Get a finding',
    description: 'One finding.',
    example: 'fnd_7k2m9q',
  },
  pages: { list: (pages) => pages.findings, record: (pages) => pages.finding },
  entryOf: findingEntry,
});
