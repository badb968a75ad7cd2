import { parseDate, type BuildState, type RepositoryName } from '@vitrine/core';
import { z } from 'zod';
import {
  type ForgeDialect,
  type ForgeList,
  type ForgeRepository,
  type PullRequestPage,
  count,
  listIn,
  optionalText,
  pageOf,
  tagName,
  text,
  time,
} from './forge-dialect.js';
import { forgeBuild, forgeMission, forgeRelease, timeIn } from './forge-records.js';
import { pullRequestsIn } from './read-pull-requests.js';

const project = z.object({
  id: count,
  visibility: optionalText,
  default_branch: optionalText,
  description: optionalText.catch(null),
  releases_access_level: optionalText,
  builds_access_level: optionalText,
  issues_access_level: optionalText,
  merge_requests_access_level: optionalText,
  public_jobs: z.boolean().nullish(),
});

const release = z.object({
  tag_name: tagName,
  name: optionalText,
  description: optionalText,
  created_at: optionalText,
  released_at: optionalText,
  assets: z.object({ links: z.array(z.object({ name: text })).catch([]) }).catch({ links: [] }),
});

const pipeline = z.object({
  id: count,
  iid: count.nullish(),
  sha: optionalText,
  ref: optionalText,
  status: optionalText,
  source: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
  name: optionalText,
});

const milestone = z.object({
  id: count,
  iid: count,
  title: text,
  description: optionalText,
  state: text,
  created_at: optionalText,
  updated_at: optionalText,
  due_date: optionalText,
  start_date: optionalText,
});

const mergeRequest = z.object({
  iid: count,
  state: text,
  closed_at: optionalText,
  updated_at: time,
  source_branch: text,
  target_branch: text,
  sha: optionalText,
  // `null` if the fork was deleted.
  source_project_id: count.nullish(),
  target_project_id: count,
});

const STATES: ReadonlyMap<string | null, BuildState> = new Map([
  ...['created', 'waiting_for_resource', 'preparing', 'pending', 'scheduled', 'manual'].map((status) => [status, 'queued'] as const),
  ['running', 'running'],
  ['canceling', 'running'],
  ['success', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'cancelled'],
  ['skipped', 'skipped'],
]);
const OVER: ReadonlySet<BuildState> = new Set(['succeeded', 'failed', 'cancelled', 'skipped']);

const releases: ForgeList = {
  kind: 'release',
  path: '/releases?per_page=100',
  mostPages: 10,
  reading: 'all',
  read: (json, origin, now) =>
    pageOf(json, release, ({ tag_name: tag, name, description: notes, created_at, released_at, assets }) => {
      const publishedAt = timeIn(released_at) ?? timeIn(created_at);
      if (publishedAt === null) return null;
      // The files of GitLab can be anywhere, so their addresses are not shown.
      const files = assets.links.map((link) => ({ name: link.name, size: null }));
      const record = forgeRelease({ tag, name, notes, isPrerelease: false, publishedAt, files }, origin, now);
      return { id: record.id, record };
    }),
};

const pipelines: ForgeList = {
  kind: 'build',
  path: '/pipelines?per_page=100',
  mostPages: 1,
  reading: 'newest',
  read: (json, origin, now) =>
    pageOf(json, pipeline, ({ id, iid, sha, ref, status, source, created_at, updated_at, name }) => {
      const state = STATES.get(status) ?? 'unknown';
      const finishedAt = OVER.has(state) ? timeIn(updated_at) : null;
      const facts = { id, name: name ?? 'Pipeline', number: iid ?? null, state, trigger: source, branch: ref, sha };
      const record = forgeBuild({ ...facts, startedAt: timeIn(created_at), finishedAt, page: `/-/pipelines/${id}` }, origin, now);
      return { id: record.id, record };
    }),
};

/** GitLab counts the issues of a milestone for members only, and includes confidential ones. So the number of issues is not shown. */
const milestones: ForgeList = {
  kind: 'mission',
  path: '/milestones?per_page=100',
  mostPages: 5,
  reading: 'all',
  read: (json, origin, now) =>
    pageOf(json, milestone, ({ id, iid, title, description, state, start_date, due_date, ...times }) => {
      const [startedAt, dueAt] = [dateIn(start_date), dateIn(due_date)];
      const isClosed = state === 'closed';
      const facts = { id, title, description, isClosed, issues: { closed: 0, all: 0 }, startedAt, dueAt };
      const [createdAt, closedAt] = [timeIn(times.created_at) ?? now, timeIn(times.updated_at)];
      const record = forgeMission({ ...facts, createdAt, closedAt, page: `/-/milestones/${iid}` }, origin, now);
      return { id: record.id, record };
    }),
};

function dateIn(date: string | null) {
  return date === null ? null : parseDate(date);
}

/** The REST API of GitLab, version 4. It does not name the logins of authors. */
export const gitlab: ForgeDialect = {
  type: 'gitlab',
  style: 'gitlab',
  headers: { accept: 'application/json' },
  credentialsOf: (token) => ({ 'private-token': token }),
  repositoryPath: ({ fullName }: RepositoryName) => `/projects/${encodeURIComponent(fullName)}`,
  readRepository,
  lists: [releases, pipelines, milestones],
  pullRequests: { path: '/merge_requests?state=all&order_by=updated_at&sort=desc&per_page=50', read: readMergeRequests },
};

function readRepository(json: unknown, isAnonymous: boolean): ForgeRepository | null {
  const { success, data } = project.safeParse(json);
  // A redirect of a web server, or another document with an id, has no name of a project.
  if (!success || typeof listIn(json, 'path_with_namespace') !== 'string') return null;
  // Without a token, GitLab shows only what is public, and does not always say so.
  const isPublic = data.visibility === 'public' || (data.visibility === null && isAnonymous);
  return {
    ids: [String(data.id)],
    isPublic,
    defaultBranch: data.default_branch,
    description: data.description,
    language: null,
    withheld: isAnonymous ? [] : withheldFrom(data),
  };
}

/** A token may see lists that are for members only. */
function withheldFrom(data: z.output<typeof project>): ForgeRepository['withheld'] {
  const isOpen = (level: string | null): boolean => level === 'enabled' || level === 'public';
  return [
    ...(isOpen(data.releases_access_level) ? [] : (['release'] as const)),
    ...(isOpen(data.builds_access_level) && data.public_jobs === true ? [] : (['build'] as const)),
    ...(isOpen(data.issues_access_level) ? [] : (['mission'] as const)),
    ...(isOpen(data.merge_requests_access_level) ? [] : (['pull request'] as const)),
  ];
}

function readMergeRequests(json: unknown): PullRequestPage | null {
  return pullRequestsIn(
    json,
    mergeRequest,
    ({ iid: number, state, closed_at, updated_at: updatedAt, source_branch: branch, target_branch: base, sha, ...ids }) => {
      const isOwn = ids.source_project_id === ids.target_project_id;
      const fate = state === 'merged' || state === 'closed' ? state : 'open';
      return { number, branch, head: sha, base, isOwn, fate, closedAt: timeIn(closed_at), updatedAt };
    },
  );
}
