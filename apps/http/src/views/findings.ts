import { kindSchema } from './shared/kind-schema.js';
import { CHANGE_TYPES, FINDING_STATUSES, type Finding, type UseCases, type WithRepository } from '@vitrine/core';
import { findingEntry } from '@vitrine/feeds';
import type { Endpoint } from '../serving/router.js';
import { ownRepository, presentRepository, repositorySchema } from './repositories.js';
import type { ControllerContext } from './shared/endpoint.js';
import { type FeedContext, feedsOf, kindFeeds } from './shared/feed.js';
import { kindPages } from './shared/page-endpoints.js';
import { type PageContext, pageOf } from './shared/page.js';
import { filterValue, RepositoryFilter, ValuesFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, timeRange, To } from './shared/query.js';
import { kindControllers } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

export const findingSchema = kindSchema(
  ['Finding', 'What the service concluded from public development activity.'],
  'finding',
  { repository: ownRepository, href: ownPath('/api/v1/development/findings/fnd_7k2m9q') },
  [repositorySchema, provenanceSchema],
);

class ListFindingsQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @ValuesFilter('Only findings of this status.', { values: FINDING_STATUSES, example: 'EXPERIMENTAL', isOpen: true })
  readonly status?: readonly string[];
  @ValuesFilter('Only findings of this change type.', { values: CHANGE_TYPES, example: 'tests', isOpen: true })
  readonly changeType?: readonly string[];
  @From('detectedAt') readonly from?: string;
  @To('detectedAt') readonly to?: string;

  override filters() {
    return { repository: this.repository ?? null, status: filterValue(this.status), changeType: filterValue(this.changeType), ...timeRange(this) };
  }
}

export function presentFinding({ record, repository }: WithRepository<Finding>, links: Links) {
  const { branch, additions, deletions, files, commitSha } = record.evidence;
  return {
    title: record.title,
    summary: record.summary,
    status: record.status,
    changeType: record.changeType,
    evidence: { branch, additions, deletions, files, ...(commitSha === undefined ? {} : { commitSha }) },
    detectedAt: presentInstant(record.detectedAt),
    repository: presentRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
    href: links.record('finding', record.id),
  };
}

export const listFindingsRoute = listRoute({
  id: 'listFindings',
  path: '/api/v1/development/findings',
  tag: 'Development',
  summary: 'List findings',
  description: 'Findings about approved repositories, newest first by `detectedAt`. Retracted ones stay visible.',
  query: ListFindingsQuery,
  schema: findingSchema,
  shows: ['finding'],
});

export const getFindingRoute = recordRoute({
  id: 'getFinding',
  path: '/api/v1/development/findings/{id}',
  tag: 'Development',
  summary: 'Get a finding',
  description: 'One finding.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the finding.', 'fnd_7k2m9q')],
  schema: findingSchema,
  shows: ['finding'],
});

/** The list of findings, and one finding. */
export function findingViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return kindControllers(context, {
    list: [listFindingsRoute, useCases.listFindings],
    get: [getFindingRoute, useCases.getFinding],
    present: (view) => presentFinding(view, context.links),
  });
}

export const findingsPageRoute = pageOf(listFindingsRoute);
export const findingPageRoute = pageOf(getFindingRoute);

/** The page of the list of findings, and the page of each. */
export function findingPages(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return kindPages(context, {
    list: [findingsPageRoute, useCases.listFindings, pages.findings],
    record: [findingPageRoute, useCases.getFinding, pages.finding],
  });
}

export const findingsFeedRoutes = feedsOf('findings', findingsPageRoute);

/** The newest findings as feeds. */
export function findingFeeds(context: FeedContext): readonly Endpoint[] {
  return kindFeeds(context, { name: 'findings', routes: findingsFeedRoutes, list: context.useCases.listFindings, entryOf: findingEntry });
}
