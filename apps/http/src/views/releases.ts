import { RELEASE_TYPES, type Release, type WithRepository } from '@vitrine/core';
import { releaseEntry } from '@vitrine/feeds';
import type { RecordData } from '@vitrine/pages';
import { KindView } from './kind-view.js';
import type { Call, ViewContext } from './shared/context.js';
import type { PageParts } from './shared/page.js';
import { RepositoryFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { From, PageQuery, type Query, To } from './shared/query.js';

class ListReleasesQuery extends PageQuery {
  @RepositoryFilter() readonly repository?: string;
  @WordFilter('Only releases for this platform.', 'linux') readonly platform?: string;
  @ValuesFilter('Only releases of this type.', { values: RELEASE_TYPES, example: 'stable', isOpen: true }) readonly releaseType?: readonly string[];
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;
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
  },
  pages: { list: (pages) => pages.releases, record: (pages) => pages.release, more: commitsOf, shows: ['commit'] },
  entryOf: releaseEntry,
});

const SHOWN_COMMITS = 20;

/** The commits since the release before it, by the times of both; `null`: it is the first one, or they cannot be read. */
async function commitsOf(
  { item, around }: Pick<RecordData<WithRepository<Release>>, 'item' | 'around'>,
  parts: PageParts,
  call: Call<Query>,
  { useCases }: ViewContext,
) {
  const before = around?.older ?? null;
  if (before === null) return { commits: null };
  const range = { from: before.record.publishedAt + 1, to: item.record.publishedAt };
  const input = { ...range, limit: SHOWN_COMMITS, after: null, repository: item.repository.fullName };
  return { commits: await parts.read('commit', (signal) => useCases.listCommits.execute(input, { ...call.context(), signal })) };
}
