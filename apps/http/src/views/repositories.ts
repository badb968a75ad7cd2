import { RELEASE_TYPES, type Repository } from '@vitrine/core';
import type { PathValues } from '../serving/router.js';
import { nameCodec } from './shared/cursors.js';
import { kindSchema } from './shared/kind-schema.js';
import { listRoute, PlainPageQuery, recordRoute } from './shared/lists.js';
import { listPageOf } from './shared/page.js';
import { fullNameParameter, nameParameter, ownerParameter } from './shared/path-parameters.js';
import { NoQuery } from './shared/parameters.js';
import type { Call, ViewContext } from './shared/route.js';
import { addressMembers, from, instant, type Links, named, nullable, open, ref, text, url } from './shared/schema.js';

const RELEASE_URL = 'https://github.com/acme/widget/releases/tag/v2.1.0';

const releaseSummarySchema = named('ReleaseSummary', 'The newest release of a repository, in short.', {
  tagName: text('Tag of the release.', 'v2.1.0'),
  name: text('Name of the release.', 'Widget 2.1.0'),
  releaseType: open('Maturity of the release.', RELEASE_TYPES, 'stable'),
  platform: nullable(text('Platform that it is for; `null` when for all.', 'linux'), null),
  publishedAt: instant('When it was published.', '2026-11-18T09:00:00.000Z'),
  sourceUrl: url('Public address of the release.', RELEASE_URL),
});

const schema = kindSchema('repository', 'A repository that is approved for public display.', {
  latestActivityAt: nullable(instant('Time of its newest commit or release; `null` when it has none.', '2026-11-20T13:41:52.000Z')),
  latestRelease: nullable(ref(releaseSummarySchema, 'Its newest release; `null` when it has none.')),
  hubHref: from(
    ({ owner, name }: Repository, links) => links.hub(owner, name),
    text('Path of its hub: the newest records of each kind.', '/api/v1/repositories/acme/widget/hub', { format: 'uri-reference' }),
  ),
  ...addressMembers('/api/v1/repositories/acme%2Fwidget', ({ fullName }: Repository) => ['repository', fullName]),
});

export type RepositoryJson = ReturnType<typeof schema.write>;

const KEPT = 1_000;

/**
 * A page shows few repositories many times, and stored ones are never changed in place. It is not a WeakMap, because a store may return new objects for each
 * request, and a WeakMap of objects that live briefly makes the garbage collection take longer than the presenting.
 */
const presented = new Map<string, { readonly repository: Repository; readonly links: Links; readonly body: RepositoryJson }>();

function written(repository: Repository, links: Links): RepositoryJson {
  const known = presented.get(repository.fullName);
  if (known?.repository === repository && known.links === links) return known.body;
  const body = schema.write(repository, links);
  if (presented.size >= KEPT) presented.clear();
  presented.set(repository.fullName, { repository, links, body });
  return body;
}

export const repositorySchema: typeof schema = { ...schema, write: (repository, links) => written(repository as Repository, links) };

/** The repository beside a record. A record alone shows none, whatever members it has. */
const ownerOf = (item: { readonly record?: unknown; readonly repository?: Repository | null }) => ('record' in item && item.repository) || null;
export const ownRepository = from(ownerOf, ref(repositorySchema, 'The repository that the record belongs to.'));
export const optionalRepository = from(ownerOf, nullable(ref(repositorySchema, 'The repository that the record belongs to; `null` when to none.')));

const SHARED = {
  tag: 'Repositories',
  schema: repositorySchema,
  shows: ['repository'],
} as const;

const ONE = {
  ...SHARED,
  query: NoQuery,
  execute: ({ params, context }: Call<NoQuery>, { useCases }: ViewContext) =>
    useCases.getRepository.execute({ fullName: fullNameOf(params) }, context()),
} as const;

export const listRepositoriesRoute = listRoute({
  id: 'listRepositories',
  path: '/api/v1/repositories',
  ...SHARED,
  summary: 'List repositories',
  description: 'Approved repositories, by lower-case `fullName`.',
  query: PlainPageQuery,
  codec: nameCodec,
  execute: (page, call, { useCases }) => useCases.listRepositories.execute(page, call.context()),
});

export const getRepositoryRoute = recordRoute({
  id: 'getRepository',
  path: '/api/v1/repositories/{owner}/{name}',
  ...ONE,
  summary: 'Get a repository',
  description: 'One approved repository. One that is not approved and one that does not exist give the same answer.',
  pathParameters: [ownerParameter, nameParameter],
});

export const getRepositoryByFullNameRoute = recordRoute({
  id: 'getRepositoryByFullName',
  path: '/api/v1/repositories/{fullName}',
  ...ONE,
  summary: 'Get a repository by its full name',
  description: 'The same as one segment: `owner%2Fname`. Search links here.',
  pathParameters: [fullNameParameter],
});

export function fullNameOf({ owner = '', name = '', fullName = `${owner}/${name}` }: PathValues): string {
  return fullName;
}

export const repositoriesPage = listPageOf(listRepositoriesRoute, (pages) => pages.repositories);
