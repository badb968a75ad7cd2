import { RELEASE_TYPES, type Release, type WithRepository } from '@vitrine/core';
import { releaseEntry } from '@vitrine/feeds';
import type { RecordData } from '@vitrine/pages';
import type { Drawing } from './shared/document.js';
import type { Call } from './shared/endpoint.js';
import { BY_ID, KindView } from './kind-view.js';
import type { PageContext, PageParts } from './shared/page.js';
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

export const releases = new KindView({
  kind: 'release',
  path: '/api/v1/development/releases',
  tag: 'Development',
  schema: ['Release', 'A release of an approved repository.'],
  list: { description: 'Releases of approved repositories, newest first by `publishedAt`.', query: ListReleasesQuery },
  get: {
    summary: 'Get a release',
    description: 'One release.',
    parameter: idParameter('Id of the release, `owner/name@tag`. Its slashes and the `@` may be percent-encoded.', 'acme/widget@v2.1.0'),
    ...BY_ID,
  },
  pages: {
    list: (pages) => pages.releases,
    record: renderRelease,
    shows: ['commit'],
  },
  entryOf: releaseEntry,
});

const SHOWN_COMMITS = 20;

/** A release with the commits since the one before it, by the times of both. */
async function renderRelease(
  { useCases, pages }: PageContext,
  data: RecordData<WithRepository<Release>>,
  parts: PageParts,
  call: Call<Query>,
): Promise<Drawing> {
  const before = data.around?.older ?? null;
  if (before === null) return () => pages.release({ ...data, commits: null });
  const { record, repository } = data.item;
  const range = { from: before.record.publishedAt + 1, to: record.publishedAt };
  const commits = await parts.read('commit', (signal) =>
    useCases.listCommits.execute({ ...range, limit: SHOWN_COMMITS, after: null, repository: repository.fullName }, { ...call.context(), signal }),
  );
  return () => pages.release({ ...data, ...parts.currency, commits });
}
