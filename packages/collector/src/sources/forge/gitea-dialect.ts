import { z } from 'zod';
import type { ForgeDialect, ForgeRepository } from './forge-dialect.js';
import { count, fateOf, flag, optionalText, text, time, timeIn } from './forge-dialect.js';
import { buildStates, isOver } from './forge-records.js';
import { authors, milestones, releases, runs } from './github-dialect.js';

/** Whether the repository has a part such as its releases. Old servers do not say it. */
const hasPart = z.boolean().catch(true);

const repository = z
  .object({
    id: count,
    has_releases: hasPart,
    has_actions: hasPart,
    has_issues: hasPart,
    has_pull_requests: hasPart,
    private: z.boolean(),
    internal: flag,
    default_branch: optionalText,
    description: optionalText.catch(null),
    language: optionalText.catch(null),
    owner: z.object({ visibility: optionalText }).nullish(),
  })
  .transform(({ id, default_branch: defaultBranch, description, language, owner, ...data }): ForgeRepository => {
    // The repositories of a `limited` owner are for signed-in users only, and still not `private`. Old servers do not give the visibility of an owner.
    const isPublic = !data.private && !data.internal && (owner?.visibility ?? 'public') === 'public';
    // The lists of parts that are turned off: the server refuses them, or still has the milestones from before.
    const has = { release: data.has_releases, build: data.has_actions, mission: data.has_issues || data.has_pull_requests };
    const withheld = (['release', 'build', 'mission'] as const).filter((list) => !has[list]);
    return { ids: [String(id)], isPublic, defaultBranch, description, language, withheld };
  });

/** A person who was deleted has a negative id. */
const person = z.object({ id: z.number() }).nullish().catch(null);

/** Nobody has this id. */
const UNKNOWN_PERSON = 0;

const pullRequest = z
  .object({
    number: count,
    state: text,
    merged: z.boolean(),
    closed_at: optionalText,
    updated_at: time,
    // `repo_id` is -1 if the repository was deleted. When the branch is gone, only `label` still has its name.
    head: z.object({ label: optionalText, sha: optionalText, repo_id: z.number().nullish() }).nullish(),
    base: z.object({ ref: text, repo_id: count, repo: z.object({ owner: person }).nullish() }),
    user: person,
  })
  .transform(({ number, state, merged, closed_at, updated_at: updatedAt, head, base, user }) => {
    const { label: branch, sha, repo_id } = head ?? { label: null, sha: null, repo_id: null };
    const own = { isOwn: repo_id === base.repo_id, opener: openerOf(user?.id, base.repo?.owner?.id) };
    return { number, branch, head: sha, base: base.ref, ...own, fate: fateOf(state, merged), closedAt: timeIn(closed_at), updatedAt };
  });

/** Forgejo, and Gitea before 1.22.2, let everybody who may read a repository open a pull request between two of its branches. */
function openerOf(opener = UNKNOWN_PERSON, owner: number | undefined): number | null {
  return opener > UNKNOWN_PERSON && opener === owner ? null : opener;
}

const STATES = buildStates({
  queued: ['waiting', 'blocked'],
  running: ['running', 'cancelling'],
  succeeded: ['success'],
  failed: ['failure'],
  cancelled: ['cancelled'],
  skipped: ['skipped'],
});

/** In the address of a run. Gitea has the run's id there from 1.26 on, and its number before, as Forgejo has. */
const RUN = /\/actions\/runs\/\d{1,16}(?=[/?#]|$)/;

/** The REST API of Gitea and Forgejo, version 1. Its pages have at most 50 items. */
export const gitea: ForgeDialect = {
  type: 'gitea',
  headers: { accept: 'application/json' },
  credentialsOf: (token) => ({ authorization: `token ${token}` }),
  repositoryPath: ({ owner, name }) => `/repos/${owner}/${name}`,
  readRepository: (json) => repository.safeParse(json).data ?? null,
  lists: [
    releases('/releases?draft=false&limit=50', 20),
    // The jobs of workflow runs: Gitea from 1.22 and Forgejo list these.
    runs(
      '/actions/tasks?limit=50',
      2,
      ({ name, workflow_id: workflow, run_number: number, status, event, url }) => {
        const state = STATES.get(status) ?? 'unknown';
        return {
          name: [workflow, name].filter((part) => part !== null && part !== '').join(': '),
          state,
          isOver: isOver(state),
          // Its branch is the target of the pull request, also if a stranger opened it. Other runs of pull requests have a number as branch, such as `#5`.
          isForeign: event === 'pull_request_target',
          page: RUN.exec(url ?? '')?.[0] ?? (number === null || number === undefined ? '/actions' : `/actions/runs/${number}`),
        };
      },
      true,
    ),
    milestones('/milestones?state=all&limit=50', 10, false),
    authors('/commits?stat=false&verification=false&files=false&limit=50', 20),
  ],
  pullRequests: { path: '/pulls?state=all&sort=recentupdate&limit=50', item: pullRequest },
};
