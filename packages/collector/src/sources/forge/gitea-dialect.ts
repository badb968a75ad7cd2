import type { BuildState } from '@vitrine/core';
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
  text,
  time,
} from './forge-dialect.js';
import { forgeBuild, timeIn } from './forge-records.js';
import { authors, milestones, releases } from './github-dialect.js';
import { pullRequestsIn } from './read-pull-requests.js';

const repository = z.object({
  id: count,
  private: z.boolean(),
  internal: flag,
  default_branch: optionalText,
  description: optionalText.catch(null),
  language: optionalText.catch(null),
  owner: z.object({ visibility: optionalText }).nullish(),
});

const task = z.object({
  id: count,
  name: optionalText,
  head_branch: optionalText,
  head_sha: optionalText,
  run_number: count.nullish(),
  event: optionalText,
  status: optionalText,
  workflow_id: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
  run_started_at: optionalText,
});

/** A person who was deleted has a negative id. */
const person = z.object({ id: z.number() }).nullish().catch(null);

type Person = z.output<typeof person>;

/** Nobody has this id. */
const UNKNOWN_PERSON = 0;

const pullRequest = z.object({
  number: count,
  state: text,
  merged: z.boolean(),
  closed_at: optionalText,
  updated_at: time,
  // `repo_id` is -1 if the repository was deleted. When the branch is gone, only `label` still has its name.
  head: z.object({ label: optionalText, sha: optionalText, repo_id: z.number().nullish() }).nullish(),
  base: z.object({ ref: text, repo_id: count, repo: z.object({ owner: person }).nullish() }),
  user: person,
});

const STATES: ReadonlyMap<string | null, BuildState> = new Map([
  ['success', 'succeeded'],
  ['failure', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
  ['waiting', 'queued'],
  ['blocked', 'queued'],
  ['running', 'running'],
]);
const OVER: ReadonlySet<BuildState> = new Set(['succeeded', 'failed', 'cancelled', 'skipped']);

/** Gitea sends this year for times that it does not know. */
const UNKNOWN_YEAR = /^(?:0001|1970)-/;

/** The jobs of workflow runs: Gitea from 1.22 and Forgejo list these. */
const tasks: ForgeList = {
  kind: 'build',
  path: '/actions/tasks?limit=50',
  mostPages: 2,
  reading: 'newest',
  read: (json, origin, now) =>
    pageOf(listIn(json, 'workflow_runs') ?? [], task, ({ id, name, workflow_id: workflow, run_number, event, head_branch, head_sha, ...times }) => {
      const state = STATES.get(times.status) ?? 'unknown';
      const number = run_number ?? null;
      const record = forgeBuild(
        {
          id,
          number,
          state,
          trigger: event,
          branch: head_branch,
          sha: head_sha,
          name: [workflow, name].filter((part) => part !== null && part !== '').join(': '),
          startedAt: knownTime(times.run_started_at) ?? knownTime(times.created_at),
          finishedAt: OVER.has(state) ? knownTime(times.updated_at) : null,
          page: number === null ? '/actions' : `/actions/runs/${number}`,
        },
        origin,
        now,
      );
      return { id: record.id, record };
    }),
};

function knownTime(text: string | null) {
  return text === null || UNKNOWN_YEAR.test(text) ? null : timeIn(text);
}

/** The REST API of Gitea and Forgejo, version 1. Its pages have at most 50 items. */
export const gitea: ForgeDialect = {
  type: 'gitea',
  style: 'gitea',
  headers: { accept: 'application/json' },
  credentialsOf: (token) => ({ authorization: `token ${token}` }),
  repositoryPath: ({ owner, name }) => `/repos/${owner}/${name}`,
  readRepository,
  lists: [
    releases('/releases?draft=false&limit=50', 20),
    tasks,
    milestones('/milestones?state=all&limit=50', 10, ({ id }) => `/milestone/${id}`),
    authors('/commits?stat=false&verification=false&files=false&limit=50', 20),
  ],
  pullRequests: { path: '/pulls?state=all&sort=recentupdate&limit=50', read: readPullRequests },
};

function readRepository(json: unknown): ForgeRepository | null {
  const { success, data } = repository.safeParse(json);
  if (!success) return null;
  // The repositories of a `limited` owner are for signed-in users only, and still not `private`. Old servers do not give the visibility of an owner.
  const isOwnerPublic = (data.owner?.visibility ?? 'public') === 'public';
  const isPublic = !data.private && !data.internal && isOwnerPublic;
  return {
    ids: [String(data.id)],
    isPublic,
    defaultBranch: data.default_branch,
    description: data.description,
    language: data.language,
    withheld: [],
  };
}

function readPullRequests(json: unknown): PullRequestPage | null {
  return pullRequestsIn(json, pullRequest, ({ number, state, merged, closed_at, updated_at: updatedAt, head, base, user }) => {
    const fate = merged ? 'merged' : state === 'closed' ? 'closed' : 'open';
    const { label: branch, sha, repo_id } = head ?? { label: null, sha: null, repo_id: null };
    const own = { isOwn: repo_id === base.repo_id, opener: openerOf(user, base) };
    return { number, branch, head: sha, base: base.ref, ...own, fate, closedAt: timeIn(closed_at), updatedAt };
  });
}

/** Forgejo, and Gitea before 1.22.2, let everybody who may read a repository open a pull request between two of its branches. */
function openerOf(user: Person, { repo }: z.output<typeof pullRequest>['base']): number | null {
  const opener = user?.id ?? UNKNOWN_PERSON;
  return opener > UNKNOWN_PERSON && opener === repo?.owner?.id ? null : opener;
}
