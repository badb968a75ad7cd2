import type { RepositoryHub } from '@vitrine/core';
import { buildSchema } from './builds.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { missions } from './missions.js';
import { releases } from './releases.js';
import { fullNameOf, repositorySchema } from './repositories.js';
import { recordRoute } from './shared/lists.js';
import { addressesOf, pageOf } from './shared/page.js';
import { fullNameParameter, nameParameter, ownerParameter } from './shared/path-parameters.js';
import { NoQuery } from './shared/parameters.js';
import { flag, from, list, named, type NamedSchema, record, ref, text } from './shared/schema.js';

const LISTED = { commits, releases, findings, missions };
const hrefs = Object.entries(LISTED).map(
  ([
    name,
    {
      list: { path },
    },
  ]) => {
    const href = text(`Path of the list of all its ${name}.`, `${path}?repository=acme%2Fwidget`, { format: 'uri-reference' });
    return [name, from(({ repository }: RepositoryHub, links) => links.list(path, repository.fullName), href)] as const;
  },
);

/** The newest records of a kind, each beside the repository. */
function newest<Json extends object>(name: keyof typeof LISTED | 'builds', schema: NamedSchema<Json>, one: string) {
  return from(
    (hub: RepositoryHub) => hub[name].map((record) => ({ record, repository: hub.repository })),
    list(`Newest ${name}.`, ref(schema, `A ${one}.`)),
  );
}

export const hubSchema = named('RepositoryHub', 'A repository and the newest ten of each kind of its records.', {
  repository: ref(repositorySchema, 'The repository.'),
  commits: newest('commits', commits.schema, 'commit'),
  releases: newest('releases', releases.schema, 'release'),
  findings: newest('findings', findings.schema, 'finding'),
  builds: newest('builds', buildSchema, 'build'),
  missions: newest('missions', missions.schema, 'mission'),
  partial: flag('Whether a kind could not be read; its list is then empty.', false),
  links: from((hub: RepositoryHub) => hub, record(Object.fromEntries(hrefs), 'Where the whole lists are.')),
});

export const getRepositoryHubRoute = recordRoute({
  id: 'getRepositoryHub',
  path: '/api/v1/repositories/{owner}/{name}/hub',
  tag: 'Repositories',
  summary: 'Get a repository hub',
  description: 'One approved repository with the newest ten of each kind of its records.',
  query: NoQuery,
  pathParameters: [ownerParameter, nameParameter],
  schema: hubSchema,
  shows: ['commit', 'release', 'finding', 'build', 'mission'],
  execute: (call, { useCases }) => useCases.getRepositoryHub.execute({ fullName: fullNameOf(call.params) }, call.context()),
});

const ACTIVITY_KINDS = ['commit', 'release'] as const;
const YEAR = { from: null, to: null } as const;
const PAGE_PATH = '/repositories/{owner}/{name}';
const addressOf = addressesOf(getRepositoryHubRoute, PAGE_PATH);

export const repositoryPage = pageOf(
  getRepositoryHubRoute,
  {
    read: async (call, parts, { useCases }) => {
      const fullName = fullNameOf(call.params);
      const [hub, activity] = await Promise.all([
        parts.need((signal) => useCases.getRepositoryHub.execute({ fullName }, call.context(signal))),
        parts.read('activity', async (signal) => useCases.listActivity.execute({ ...YEAR, repository: fullName }, call.context(signal))),
      ]);
      const { owner, name } = hub.repository;
      return { hub, activity, address: addressOf(call.query, { owner, name }, null) };
    },
    draw: (pages) => pages.repository,
    shows: ({ hub }) => hub,
  },
  { path: PAGE_PATH, shows: [...getRepositoryHubRoute.shows, ...ACTIVITY_KINDS] },
);

/** The same by the other form of its address. */
export const repositoryByFullNamePage = { ...repositoryPage, path: '/repositories/{fullName}', pathParameters: [fullNameParameter] };
