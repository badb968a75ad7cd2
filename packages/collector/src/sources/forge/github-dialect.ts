import { isSha, type BuildState, type Instant } from '@vitrine/core';
import { z } from 'zod';
import {
  type ForgeDialect,
  type ForgeList,
  type ForgeRepository,
  type PullRequestPage,
  count,
  flag,
  listIn,
  optionalText,
  pageOf,
  tagName,
  text,
  time,
} from './forge-dialect.js';
import { forgeAuthor, forgeBuild, forgeMission, forgeRelease, timeIn } from './forge-records.js';
import { pullRequestsIn } from './read-pull-requests.js';

const repository = z.object({
  id: count,
  node_id: optionalText,
  private: z.boolean(),
  visibility: optionalText,
  default_branch: optionalText,
  description: optionalText.catch(null),
  language: optionalText.catch(null),
});

const file = z.object({
  name: z.string(),
  size: count
    .nullish()
    .catch(null)
    .transform((size) => size ?? null),
});

const release = z.object({
  tag_name: tagName,
  name: optionalText,
  body: optionalText,
  draft: z.boolean(),
  prerelease: flag,
  created_at: optionalText,
  published_at: optionalText,
  assets: z
    .array(z.unknown())
    .catch([])
    .transform((assets) => assets.flatMap((one) => file.safeParse(one).data ?? [])),
});

const run = z.object({
  id: count,
  name: optionalText,
  display_title: optionalText,
  head_branch: optionalText,
  head_sha: optionalText,
  run_number: count.nullish(),
  event: optionalText,
  status: optionalText,
  conclusion: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
  run_started_at: optionalText,
});

const milestone = z.object({
  id: count,
  number: count.nullish(),
  title: text,
  description: optionalText,
  state: text,
  open_issues: count,
  closed_issues: count,
  created_at: optionalText,
  due_on: optionalText,
  closed_at: optionalText,
});

const commit = z.object({
  sha: text,
  author: z
    .object({ login: z.string().min(1).max(100) })
    .nullish()
    .catch(null),
});

const pullRequest = z.object({
  number: count,
  state: text,
  merged_at: optionalText,
  closed_at: optionalText,
  updated_at: time,
  // Of a fork that was deleted, the repository is `null`.
  head: z.object({ ref: text, sha: text, repo: z.object({ id: count }).nullish() }),
  base: z.object({ ref: text, repo: z.object({ id: count }) }),
});

const CONCLUSIONS: ReadonlyMap<string | null, BuildState> = new Map([
  ['success', 'succeeded'],
  ['neutral', 'succeeded'],
  ['failure', 'failed'],
  ['timed_out', 'failed'],
  ['startup_failure', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
]);

const STATUSES: ReadonlyMap<string | null, BuildState> = new Map([
  ['queued', 'queued'],
  ['requested', 'queued'],
  ['waiting', 'queued'],
  ['pending', 'queued'],
  ['in_progress', 'running'],
]);

/** Releases in the shape that GitHub and Gitea share. Drafts are never shown. */
export function releases(path: string, mostPages: number): ForgeList {
  return {
    kind: 'release',
    path,
    mostPages,
    reading: 'all',
    read: (json, origin, now) =>
      pageOf(json, release, ({ tag_name: tag, name, body: notes, draft, prerelease, assets, ...times }) => {
        const publishedAt = timeIn(times.published_at) ?? timeIn(times.created_at);
        if (draft || publishedAt === null) return null;
        const record = forgeRelease({ tag, name, notes, isPrerelease: prerelease, publishedAt, files: assets }, origin, now);
        return { id: record.id, record };
      }),
  };
}

/** Milestones in the shape that GitHub and Gitea share. @param page the one that a milestone has, below the repository */
export function milestones(
  path: string,
  mostPages: number,
  page: (milestone: { readonly id: number; readonly number: number }) => string,
): ForgeList {
  return {
    kind: 'mission',
    path,
    mostPages,
    reading: 'all',
    read: (json, origin, now) =>
      pageOf(json, milestone, ({ id, number, title, description, state, open_issues: open, closed_issues: closed, ...times }) => {
        const createdAt = timeIn(times.created_at) ?? now;
        const isClosed = state === 'closed';
        const [dueAt, closedAt] = [timeIn(times.due_on), timeIn(times.closed_at)];
        const issues = { closed, all: open + closed };
        const place = page({ id, number: number ?? id });
        const record = forgeMission({ id, title, description, isClosed, issues, createdAt, dueAt, closedAt, page: place }, origin, now);
        return { id: record.id, record };
      }),
  };
}

/** Logins of authors, in the shape that GitHub and Gitea share. */
export function authors(path: string, mostPages: number): ForgeList {
  return {
    kind: 'commit',
    path,
    mostPages,
    reading: 'stream',
    read: (json, origin, now) =>
      pageOf(json, commit, ({ sha, author }) => {
        const login = author?.login ?? '';
        // A commit without a login marks what was read too.
        return isSha(sha) ? { id: sha, record: login === '' ? null : forgeAuthor(sha, login, origin, now) } : null;
      }),
  };
}

const runs: ForgeList = {
  kind: 'build',
  path: '/actions/runs?per_page=100',
  mostPages: 1,
  reading: 'newest',
  read: (json, origin, now) =>
    pageOf(listIn(json, 'workflow_runs'), run, ({ id, name, display_title: title, run_number: number, event, head_branch, head_sha, ...state }) => {
      const isOver = state.status === 'completed';
      const record = forgeBuild(
        {
          id,
          name: name ?? title ?? '',
          number: number ?? null,
          state: (isOver ? CONCLUSIONS.get(state.conclusion) : STATUSES.get(state.status)) ?? 'unknown',
          trigger: event,
          branch: head_branch,
          sha: head_sha,
          ...timesOf(state, isOver),
          page: `/actions/runs/${id}`,
        },
        origin,
        now,
      );
      return { id: record.id, record };
    }),
};

type RunTimes = Pick<z.output<typeof run>, 'created_at' | 'updated_at' | 'run_started_at'>;

/** GitHub does not say when a run has ended, but a run that is over does not change. */
function timesOf(times: RunTimes, isOver: boolean): { readonly startedAt: Instant | null; readonly finishedAt: Instant | null } {
  return {
    startedAt: timeIn(times.run_started_at) ?? timeIn(times.created_at),
    finishedAt: isOver ? timeIn(times.updated_at) : null,
  };
}

/** The REST API of GitHub, version 2022-11-28. */
export const github: ForgeDialect = {
  type: 'github',
  style: 'github',
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  credentialsOf: (token) => ({ authorization: `Bearer ${token}` }),
  repositoryPath: ({ owner, name }) => `/repos/${owner}/${name}`,
  readRepository,
  lists: [
    releases('/releases?per_page=100', 10),
    runs,
    milestones('/milestones?state=all&sort=due_on&direction=desc&per_page=100', 5, ({ number }) => `/milestone/${number}`),
    authors('/commits?per_page=100', 10),
  ],
  // A hundred of them, each with the longest text, would be larger than a document may be.
  pullRequests: { path: '/pulls?state=all&sort=updated&direction=desc&per_page=50', read: readPullRequests },
};

function readRepository(json: unknown): ForgeRepository | null {
  const { success, data } = repository.safeParse(json);
  if (!success) return null;
  const { id, node_id: nodeId, visibility, default_branch: defaultBranch, description, language } = data;
  // `internal` repositories of an enterprise are visible to its members only.
  const isPublic = !data.private && (visibility === null || visibility === 'public');
  return { ids: nodeId === null ? [String(id)] : [String(id), nodeId], isPublic, defaultBranch, description, language, withheld: [] };
}

function readPullRequests(json: unknown): PullRequestPage | null {
  return pullRequestsIn(json, pullRequest, ({ number, state, merged_at, closed_at, updated_at: updatedAt, head, base }) => {
    const fate = merged_at !== null ? 'merged' : state === 'closed' ? 'closed' : 'open';
    const isOwn = head.repo?.id === base.repo.id;
    return { number, branch: head.ref, head: head.sha, base: base.ref, isOwn, fate, closedAt: timeIn(closed_at), updatedAt };
  });
}
