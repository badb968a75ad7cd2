import { kindSchema } from './shared/kind-schema.js';
import { RELEASE_TYPES, type Release, type UseCases, type WithRepository } from '@vitrine/core';
import { releaseEntry } from '@vitrine/feeds';
import type { RecordData } from '@vitrine/pages';
import type { Endpoint } from '../serving/router.js';
import { ownRepository, presentRepository, repositorySchema } from './repositories.js';
import type { Call, ControllerContext } from './shared/endpoint.js';
import { type FeedContext, feedsOf, kindFeeds } from './shared/feed.js';
import { kindPages } from './shared/page-endpoints.js';
import { ANY, type PageContext, pageOf, type PageParts } from './shared/page.js';
import { filterValue, RepositoryFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, type Query, timeRange, To } from './shared/query.js';
import { kindControllers } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

export const releaseSchema = kindSchema(
  ['Release', 'A release of an approved repository.'],
  'release',
  { repository: ownRepository, href: ownPath('/api/v1/development/releases/acme%2Fwidget%40v2.1.0') },
  [repositorySchema, provenanceSchema],
);

class ListReleasesQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @WordFilter('Only releases for this platform.', 'linux') readonly platform?: string;
  @ValuesFilter('Only releases of this type.', { values: RELEASE_TYPES, example: 'stable', isOpen: true }) readonly releaseType?: readonly string[];
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return {
      repository: this.repository ?? null,
      platform: this.platform ?? null,
      releaseType: filterValue(this.releaseType),
      ...timeRange(this),
    };
  }
}

export function presentRelease({ record, repository }: WithRepository<Release>, links: Links) {
  return {
    tagName: record.tagName,
    name: record.name,
    body: record.body,
    platform: record.platform,
    releaseType: record.releaseType,
    publishedAt: presentInstant(record.publishedAt),
    repository: presentRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    id: record.id,
    ...(record.assets !== undefined && { assets: record.assets.map(({ name, platform, size, url }) => ({ name, platform, size, url })) }),
    href: links.record('release', record.id),
  };
}

export const listReleasesRoute = listRoute({
  id: 'listReleases',
  path: '/api/v1/development/releases',
  tag: 'Development',
  summary: 'List releases',
  description: 'Releases of approved repositories, newest first by `publishedAt`.',
  query: ListReleasesQuery,
  schema: releaseSchema,
  shows: ['release'],
});

export const getReleaseRoute = recordRoute({
  id: 'getRelease',
  path: '/api/v1/development/releases/{id}',
  tag: 'Development',
  summary: 'Get a release',
  description: 'One release.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the release, `owner/name@tag`. Its slashes and the `@` may be percent-encoded.', 'acme/widget@v2.1.0')],
  schema: releaseSchema,
  shows: ['release'],
});

/** The list of releases, and one release. */
export function releaseViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return kindControllers(context, {
    list: [listReleasesRoute, useCases.listReleases],
    get: [getReleaseRoute, useCases.getRelease],
    present: (view) => presentRelease(view, context.links),
  });
}

export const releasesPageRoute = pageOf(listReleasesRoute);
export const releasePageRoute = pageOf(getReleaseRoute, { shows: [...getReleaseRoute.shows, 'commit'] });
const SHOWN_COMMITS = 20;

/** The page of the list of releases, and the page of each. */
export function releasePages(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return kindPages(context, {
    list: [releasesPageRoute, useCases.listReleases, pages.releases],
    record: [releasePageRoute, useCases.getRelease, (data, parts, call) => renderRelease(context, data, parts, call)],
  });
}

/** A release with the commits since the one before it, by the times of both. */
async function renderRelease(
  { useCases, pages }: PageContext,
  data: RecordData<WithRepository<Release>>,
  parts: PageParts,
  call: Call<Query>,
): Promise<string> {
  const before = data.around?.older ?? null;
  if (before === null) return pages.release({ ...data, commits: null });
  const { record, repository } = data.item;
  const range = { from: before.record.publishedAt + 1, to: record.publishedAt };
  const commits = await parts.read('commit', (signal) =>
    useCases.listCommits.execute(
      { ...ANY, ...range, limit: SHOWN_COMMITS, after: null, repository: repository.fullName },
      { ...call.context(), signal },
    ),
  );
  return pages.release({ ...data, ...parts.currency, commits });
}

export const releasesFeedRoutes = feedsOf('releases', releasesPageRoute);

/** The newest releases as feeds. */
export function releaseFeeds(context: FeedContext): readonly Endpoint[] {
  return kindFeeds(context, { name: 'releases', routes: releasesFeedRoutes, list: context.useCases.listReleases, entryOf: releaseEntry });
}
