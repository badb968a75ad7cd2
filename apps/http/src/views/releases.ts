import { positionOf, type Release, RELEASE_TYPES, type WithRepository } from '@vitrine/core';
import { releaseEntry } from '@vitrine/feeds';
import { commits } from './commits.js';
import type { Call, ViewContext } from './shared/route.js';
import type { PageParts } from './shared/page.js';
import { PageQuery } from './shared/lists.js';
import { Choice, Query, RepositoryFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { From, To } from './shared/time-range.js';
import { list, nullable, ref } from './shared/schema.js';
import { included, KindView } from './kind-view.js';

class ListReleasesQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @WordFilter('Only releases for this platform.', 'linux') readonly platform?: string;
  @ValuesFilter('Only releases of this type.', { values: RELEASE_TYPES, example: 'stable', isOpen: true }) readonly releaseType?: readonly string[];
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;
}

class ReleaseQuery extends Query {
  @Choice(
    '`neighbours`: also say which records are beside it in its list. `commits`: also the commits since the release before, the one of the same platform if there is one.',
    ['neighbours', 'commits'],
  )
  readonly include?: string;
}

const EXAMPLE = 'acme/widget@v2.1.0';

export const releases = new KindView({
  kind: 'release',
  path: '/api/v1/development/releases',
  tag: 'Development',
  description: 'A release of an approved repository.',
  list: { description: 'Releases of approved repositories, newest first by `publishedAt`.', query: ListReleasesQuery },
  get: {
    summary: 'Get a release',
    description: 'One release.',
    parameter: idParameter('Id of the release, `owner/name@tag`. Its slashes and the `@` may be percent-encoded.', EXAMPLE),
    example: EXAMPLE,
    query: ReleaseQuery,
  },
  included: {
    fields: {
      commits: included(
        'commits',
        nullable(
          list(
            'Only with `include=commits`: the newest 20 since the release before it; `null` if it is the first.',
            ref(commits.schema, 'A commit.'),
          ),
          null,
        ),
      ),
    },
    read: async (item, parts, call, context) => {
      const since = await commitsOf({ item }, parts, call, context);
      return { commits: since.commits?.items ?? null };
    },
    shows: ['commit'],
  },
  pages: { list: (pages) => pages.releases, record: (pages) => pages.release, more: commitsOf },
  entryOf: releaseEntry,
});

const SHOWN_COMMITS = 20;

/** The release before it, and the newest commits since, by the times of both; `null`: it is the first one, or they cannot be read. */
async function commitsOf({ item }: { readonly item: WithRepository<Release> }, parts: PageParts, call: Call<Query>, context: ViewContext) {
  const before = await releaseBefore(item, parts, call, context);
  if (before === null) return { before, commits: null };
  const range = { from: before.publishedAt + 1, to: item.record.publishedAt };
  const input = { ...range, limit: SHOWN_COMMITS, after: null, repository: item.repository.fullName };
  return { before, commits: await parts.read('commit', (signal) => context.useCases.listCommits.execute(input, call.context(signal))) };
}

async function releaseBefore(
  { record, repository }: WithRepository<Release>,
  parts: PageParts,
  call: Call<Query>,
  { useCases }: ViewContext,
): Promise<Release | null> {
  const input = { limit: 1, after: positionOf(record), repository: repository.fullName };
  const newest = (platform: string | null) =>
    parts.read('release', (signal) => useCases.listReleases.execute({ ...input, platform }, call.context(signal)));
  for (const platform of new Set([record.platform, null])) {
    const [found] = (await newest(platform))?.items ?? [];
    if (found !== undefined) return found.record;
  }
  return null;
}
