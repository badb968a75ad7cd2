import { CHANGE_TYPES, type Finding, FINDING_STATUSES, type WithRepository } from '@vitrine/core';
import { findingEntry } from '@vitrine/feeds';
import type { FindingData } from '@vitrine/pages';
import { KindView } from './kind-view.js';
import { RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import type { Call, ViewContext } from './shared/route.js';
import { PageQuery } from './shared/lists.js';
import { foundOrNull, type PageParts } from './shared/page.js';
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
  pages: { list: (pages) => pages.findings, record: (pages) => pages.finding, more: commitOf, shows: ['commit'] },
  entryOf: findingEntry,
});

/** If it is not known whether the commit is there, the page leads to it. */
async function commitOf(
  { item: { record, repository } }: { readonly item: WithRepository<Finding> },
  parts: PageParts,
  call: Call<unknown>,
  { useCases }: ViewContext,
): Promise<Pick<FindingData, 'hasCommit'>> {
  const { commitSha: sha } = record.evidence;
  if (sha === undefined) return { hasCommit: false };
  const find = (signal: AbortSignal) => useCases.getCommit.execute({ sha, repository: repository.fullName }, call.context(signal));
  const hasCommit = await parts.readQuietly(true, async (signal) => (await foundOrNull(find(signal))) !== null);
  return { hasCommit };
}
