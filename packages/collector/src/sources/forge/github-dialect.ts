import { isSha } from '@vitrine/core';
import { z } from 'zod';
import type { ForgeDialect, ForgeList, ForgeRepository } from './forge-dialect.js';
import { count, fateOf, flag, optionalText, tagName, text, texts, time, timeIn, listOf } from './forge-dialect.js';
import { buildStates, type ForgeBuild, forgeAuthor, forgeBuild, forgeMission, forgeRelease } from './forge-records.js';

const repository = z
  .object({
    id: count,
    private: z.boolean(),
    ...texts('node_id', 'visibility', 'default_branch'),
    description: optionalText.catch(null),
    language: optionalText.catch(null),
  })
  .transform(({ id, node_id: nodeId, visibility, default_branch: defaultBranch, description, language, ...flags }): ForgeRepository => {
    // `internal` repositories of an enterprise are visible to its members only.
    const isPublic = !flags.private && (visibility === null || visibility === 'public');
    return { ids: nodeId === null ? [String(id)] : [String(id), nodeId], isPublic, defaultBranch, description, language, withheld: [] };
  });

const file = z.object({ name: z.string(), size: count.nullable().catch(null) });

/** Releases in the shape that GitHub and Gitea share. Drafts are never shown. */
export function releases(path: string, mostPages: number): ForgeList {
  return listOf({
    kind: 'release',
    path,
    mostPages,
    item: z.object({
      tag_name: tagName,
      draft: z.boolean(),
      prerelease: flag,
      ...texts('name', 'body', 'created_at', 'published_at'),
      assets: z
        .array(z.unknown())
        .catch([])
        .transform((assets) => assets.flatMap((one) => file.safeParse(one).data ?? [])),
    }),
    make: ({ tag_name: tag, name, body: notes, draft, prerelease: isPrerelease, assets: files, ...times }, origin, now) => {
      const publishedAt = timeIn(times.published_at) ?? timeIn(times.created_at);
      return draft || publishedAt === null ? null : forgeRelease({ tag, name, notes, isPrerelease, publishedAt, files }, origin, now);
    },
  });
}

/** Milestones in the shape that GitHub and Gitea share. @param numbered whether the address of a milestone has its number, and not its id */
export function milestones(path: string, mostPages: number, numbered: boolean): ForgeList {
  return listOf({
    kind: 'mission',
    path,
    mostPages,
    item: z.object({
      id: count,
      number: count.nullish(),
      title: text,
      state: text,
      open_issues: count,
      closed_issues: count,
      ...texts('description', 'created_at', 'due_on', 'closed_at'),
    }),
    make: ({ id, number, title, description, state, open_issues: open, closed_issues: closed, ...times }, origin, now) => {
      const issues = { closed, all: open + closed };
      const page = `/milestone/${(numbered ? number : null) ?? id}`;
      const dates = { createdAt: timeIn(times.created_at) ?? now, dueAt: timeIn(times.due_on), closedAt: timeIn(times.closed_at) };
      return forgeMission({ id, title, description, isClosed: state === 'closed', issues, ...dates, page }, origin, now);
    },
  });
}

/** Logins of authors, in the shape that GitHub and Gitea share. A commit without a login marks what was read too. */
export function authors(path: string, mostPages: number): ForgeList {
  return listOf({
    kind: 'commit',
    path,
    mostPages,
    item: z.object({
      sha: text,
      author: z
        .object({ login: z.string().min(1).max(100) })
        .nullish()
        .catch(null),
    }),
    make: ({ sha, author }, origin, now) => (isSha(sha) ? { id: sha, record: author ? forgeAuthor(sha, author.login, origin, now) : null } : null),
  });
}

/** The repository of a run, or that of its branch. `null` if the fork was deleted. Gitea does not say it. */
const place = z.object({ id: count }).nullish().catch(null);

const run = z.object({
  id: count,
  repository: place,
  head_repository: place,
  run_number: count.nullish(),
  // A text at Gitea, a number at GitHub.
  workflow_id: optionalText.catch(null),
  ...texts('name', 'display_title', 'head_branch', 'head_sha', 'event', 'status', 'conclusion', 'url'),
  ...texts('created_at', 'updated_at', 'run_started_at'),
});

/** What differs between the runs of two forges. */
interface RunFacts extends Pick<ForgeBuild, 'name' | 'state' | 'page'> {
  readonly isOver: boolean;
  /** Whether its branch can be that of a fork. Then it is not shown: forks have a `main` too. */
  readonly isForeign: boolean;
}

const workflowRuns = z.object({ workflow_runs: z.unknown() });

/** Runs in the shape that GitHub and Gitea share. Neither says when a run has ended, but one that is over does not change. @param isOptional whether the document may lack the list */
export function runs(path: string, mostPages: number, factsOf: (item: z.output<typeof run>) => RunFacts, isOptional = false): ForgeList {
  return listOf({
    kind: 'build',
    path,
    mostPages,
    listIn: (json) => workflowRuns.safeParse(json).data?.workflow_runs ?? (isOptional ? [] : null),
    item: run,
    make: (item, origin, now) => {
      const { isOver, isForeign, ...facts } = factsOf(item);
      if (isForeign) return null;
      const { id, run_number: number = null, event: trigger, head_branch: branch, head_sha: sha } = item;
      const startedAt = timeIn(item.run_started_at) ?? timeIn(item.created_at);
      return forgeBuild({ id, number, trigger, branch, sha, startedAt, finishedAt: isOver ? timeIn(item.updated_at) : null, ...facts }, origin, now);
    },
  });
}

/** Where GitHub does not name both repositories, a run of a pull request counts as one of a fork. */
function isOfFork({ repository: own, head_repository: head, event }: z.output<typeof run>): boolean {
  return own && head ? head.id !== own.id : event?.startsWith('pull_request') === true;
}

const CONCLUSIONS = buildStates({
  succeeded: ['success', 'neutral'],
  failed: ['failure', 'timed_out', 'startup_failure'],
  cancelled: ['cancelled'],
  skipped: ['skipped'],
});
const STATUSES = buildStates({ queued: ['queued', 'requested', 'waiting', 'pending'], running: ['in_progress'] });

const pullRequest = z
  .object({
    number: count,
    state: text,
    updated_at: time,
    ...texts('merged_at', 'closed_at'),
    // Of a fork that was deleted, the repository is `null`.
    head: z.object({ ref: text, sha: text, repo: z.object({ id: count }).nullish() }),
    base: z.object({ ref: text, repo: z.object({ id: count }) }),
  })
  .transform(({ number, state, merged_at, closed_at, updated_at: updatedAt, head, base }) => {
    const ends = { branch: head.ref, head: head.sha, base: base.ref, isOwn: head.repo?.id === base.repo.id };
    return { number, ...ends, fate: fateOf(state, merged_at !== null), closedAt: timeIn(closed_at), updatedAt };
  });

/** The REST API of GitHub, version 2022-11-28. */
export const github: ForgeDialect = {
  type: 'github',
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  credentialsOf: (token) => ({ authorization: `Bearer ${token}` }),
  repositoryPath: ({ owner, name }) => `/repos/${owner}/${name}`,
  readRepository: (json) => repository.safeParse(json).data ?? null,
  lists: [
    releases('/releases?per_page=100', 10),
    runs('/actions/runs?per_page=100', 1, (item) => {
      const { id, name, display_title: title, status, conclusion } = item;
      const isOver = status === 'completed';
      const state = (isOver ? CONCLUSIONS.get(conclusion) : STATUSES.get(status)) ?? 'unknown';
      return { name: name ?? title ?? '', state, isOver, isForeign: isOfFork(item), page: `/actions/runs/${id}` };
    }),
    milestones('/milestones?state=all&sort=due_on&direction=desc&per_page=100', 5, true),
    authors('/commits?per_page=100', 10),
  ],
  // A hundred pull requests, each with the longest text, would be larger than a document may be.
  pullRequests: { path: '/pulls?state=all&sort=updated&direction=desc&per_page=50', item: pullRequest },
};
