import { parseDate } from '@vitrine/core';
import { z } from 'zod';
import type { ForgeDialect, ForgeRepository } from './forge-dialect.js';
import { count, fateOf, optionalText, tagName, text, texts, time, timeIn, listOf } from './forge-dialect.js';
import { buildStates, forgeBuild, forgeMission, forgeRelease, isOver } from './forge-records.js';

const project = z.object({
  id: count,
  // A redirect of a web server, or another document with an id, has no name of a project.
  path_with_namespace: z.string(),
  description: optionalText.catch(null),
  ...texts('visibility', 'default_branch', 'releases_access_level', 'builds_access_level', 'issues_access_level', 'merge_requests_access_level'),
  public_jobs: z.boolean().nullish(),
});

const mergeRequest = z
  .object({
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
  })
  .transform(({ iid: number, state, sha: head, source_branch: branch, target_branch: base, updated_at: updatedAt, ...data }) => {
    const isOwn = data.source_project_id === data.target_project_id;
    return { number, branch, head, base, isOwn, fate: fateOf(state, state === 'merged'), closedAt: timeIn(data.closed_at), updatedAt };
  });

const STATES = buildStates({
  queued: ['created', 'waiting_for_resource', 'waiting_for_callback', 'preparing', 'pending', 'scheduled', 'manual'],
  running: ['running', 'canceling'],
  succeeded: ['success'],
  failed: ['failed'],
  cancelled: ['canceled'],
  skipped: ['skipped'],
});

const releases = listOf({
  kind: 'release',
  path: '/releases?per_page=100',
  mostPages: 10,
  item: z.object({
    tag_name: tagName,
    ...texts('name', 'description', 'created_at', 'released_at'),
    assets: z.object({ links: z.array(z.object({ name: text })).catch([]) }).catch({ links: [] }),
  }),
  make: ({ tag_name: tag, name, description: notes, created_at, released_at, assets }, origin, now) => {
    const publishedAt = timeIn(released_at) ?? timeIn(created_at);
    // The files of GitLab can be anywhere, so their addresses are not shown.
    const files = assets.links.map((link) => ({ name: link.name, size: null }));
    return publishedAt === null ? null : forgeRelease({ tag, name, notes, isPrerelease: false, publishedAt, files }, origin, now);
  },
});

const pipelines = listOf({
  kind: 'build',
  path: '/pipelines?per_page=100',
  mostPages: 1,
  item: z.object({ id: count, iid: count.nullish(), ...texts('sha', 'ref', 'status', 'source', 'created_at', 'updated_at', 'name') }),
  make: ({ id, iid: number = null, sha, ref: branch, status, source: trigger, name, ...times }, origin, now) => {
    const state = STATES.get(status) ?? 'unknown';
    const dates = { startedAt: timeIn(times.created_at), finishedAt: isOver(state) ? timeIn(times.updated_at) : null };
    const facts = { id, name: name ?? 'Pipeline', number, state, trigger, branch, sha };
    return forgeBuild({ ...facts, ...dates, page: `/-/pipelines/${id}` }, origin, now);
  },
});

/** GitLab counts the issues of a milestone for members only, and confidential ones too, so their number is not shown. It does not say when a milestone was closed. */
const milestones = listOf({
  kind: 'mission',
  path: '/milestones?per_page=100',
  mostPages: 5,
  item: z.object({
    id: count,
    iid: count,
    title: text,
    state: text,
    ...texts('description', 'created_at', 'due_date', 'start_date'),
  }),
  make: ({ id, iid, title, description, state, created_at, start_date, due_date }, origin, now) => {
    const facts = { id, title, description, isClosed: state === 'closed', issues: { closed: 0, all: 0 }, page: `/-/milestones/${iid}` };
    const dates = { createdAt: timeIn(created_at) ?? now, startedAt: parseDate(start_date ?? ''), dueAt: parseDate(due_date ?? ''), closedAt: null };
    return forgeMission({ ...facts, ...dates }, origin, now);
  },
});

/** The REST API of GitLab, version 4. It does not name the logins of authors. */
export const gitlab: ForgeDialect = {
  type: 'gitlab',
  headers: { accept: 'application/json' },
  credentialsOf: (token) => ({ 'private-token': token }),
  repositoryPath: ({ fullName }) => `/projects/${encodeURIComponent(fullName)}`,
  readRepository: (json, isAnonymous) => {
    const { success, data } = project.safeParse(json);
    if (!success) return null;
    const { id, visibility, default_branch: defaultBranch, description } = data;
    // Without a token, GitLab shows only what is public, and does not always say so.
    const isPublic = visibility === 'public' || (visibility === null && isAnonymous);
    return { ids: [String(id)], isPublic, defaultBranch, description, language: null, withheld: isAnonymous ? [] : withheldFrom(data) };
  },
  lists: [releases, pipelines, milestones],
  pullRequests: { path: '/merge_requests?state=all&order_by=updated_at&sort=desc&per_page=50', item: mergeRequest },
};

/** A token may see lists that are for members only. */
function withheldFrom(data: z.output<typeof project>): ForgeRepository['withheld'] {
  const isOpen = (level: string | null): boolean => level === 'enabled' || level === 'public';
  const open = {
    release: isOpen(data.releases_access_level),
    build: isOpen(data.builds_access_level) && data.public_jobs === true,
    mission: isOpen(data.issues_access_level),
    'pull request': isOpen(data.merge_requests_access_level),
  };
  return (['release', 'build', 'mission', 'pull request'] as const).filter((list) => !open[list]);
}
