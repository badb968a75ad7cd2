import type { RepositoryHub } from '@vitrine/core';
import { buildSchema, presentBuild } from './builds.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { missions } from './missions.js';
import { releases } from './releases.js';
import { fullNameOf, presentRepository, repositorySchema } from './repositories.js';
import { recordRoute } from './shared/lists.js';
import { addressesOf, pageOf } from './shared/page.js';
import { fullNameParameter, nameParameter, ownerParameter } from './shared/path-parameters.js';
import { type Links, list, named, record, ref, text } from './shared/schema.js';
import { NoQuery } from './shared/parameters.js';

const LISTED = { commits, releases, findings, missions };
const hrefs = Object.entries(LISTED).map(([name, { list: route }]) => {
  const example = `${route.path}?repository=acme%2Fwidget`;
  return [name, text(`Path of the list of all its ${name}.`, example, { format: 'uri-reference' })] as const;
});

const hubSchema = named('RepositoryHub', 'A repository and the newest ten of each kind of its records.', {
  repository: ref(repositorySchema, 'The repository.'),
  commits: list('Newest commits.', ref(commits.schema, 'A commit.')),
  releases: list('Newest releases.', ref(releases.schema, 'A release.')),
  findings: list('Newest findings.', ref(findings.schema, 'A finding.')),
  builds: list('Newest builds.', ref(buildSchema, 'A build.')),
  missions: list('Newest missions.', ref(missions.schema, 'A mission.')),
  partial: { schema: { type: 'boolean', description: 'Whether a kind could not be read; its list is then empty.' }, example: false },
  links: record(Object.fromEntries(hrefs), 'Where the whole lists are.'),
});

export function presentHub(hub: RepositoryHub, links: Links) {
  const { repository } = hub;
  return {
    repository: presentRepository(repository, links),
    commits: hub.commits.map((record) => commits.present({ record, repository }, links)),
    releases: hub.releases.map((record) => releases.present({ record, repository }, links)),
    findings: hub.findings.map((record) => findings.present({ record, repository }, links)),
    builds: hub.builds.map((record) => presentBuild({ record, repository }, links)),
    missions: hub.missions.map((record) => missions.present({ record, repository }, links)),
    partial: hub.partial,
    links: Object.fromEntries(Object.entries(LISTED).map(([name, view]) => [name, links.list(view.list.path, repository.fullName)])),
  };
}

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
  present: (hub, { links }) => presentHub(hub, links),
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
