import type { Git } from './git.js';
import type { GitRefs } from './git-refs.js';
import { readCommits, shaLines, type RawCommit } from './commit-log.js';
import { GitError } from './git-error.js';

/**
 * Every commit that a branch reaches, newest first, each with its branch: the default branch if it contains the commit, or else the first such
 * branch by name. `null` for commits that only a detached HEAD reaches.
 */
export async function walkBranches(git: Git, refs: GitRefs): Promise<Map<string, string | null>> {
  const names: readonly (string | null)[] = [...refs.branches.map(({ name }) => name), null];
  const tips = [...refs.branches.map(({ sha }) => sha), ...(refs.detachedHead === null ? [] : [refs.detachedHead])];
  const branches = new Map<string, string | null>();
  /** The lowest place in `names` so far of the commits that were not read yet. */
  const ranks = new Map<string, number>();
  const reach = (sha: string, rank: number): void => void ranks.set(sha, Math.min(rank, ranks.get(sha) ?? rank));
  // A branch can point at a tag object, so git resolves each tip to a commit.
  const commits = await commitsOf(git, tips);
  commits.forEach(reach);
  // Children come before their parents, so one pass is enough.
  for await (const [sha, ...parents] of readParents(git, ['--topo-order'], commits)) {
    const rank = ranks.get(sha) ?? names.length;
    ranks.delete(sha);
    branches.set(sha, names[rank] ?? null);
    for (const parent of parents) reach(parent, rank);
  }
  return branches;
}

export async function* readParents(git: Git, options: readonly string[], revisions: readonly string[]): AsyncGenerator<[string, ...string[]]> {
  if (revisions.length === 0) return;
  for await (const lines of git.lines(['rev-list', '--parents', '--stdin', ...options], shaLines(revisions)))
    for (const line of lines) yield line.split(' ') as [string, ...string[]];
}

/** For each object the commit to which it leads, as a tag does; the object itself if it leads to none. */
export async function commitsOf(git: Git, shas: readonly string[]): Promise<readonly string[]> {
  if (shas.length === 0) return [];
  const answers: string[] = [];
  const input = shaLines(shas.map((sha) => `${sha}^{commit}`));
  for await (const lines of git.lines(['cat-file', '--batch-check=%(objectname)'], input)) answers.push(...lines);
  return shas.map((sha, index) => /^[0-9a-f]+$/.exec(answers[index] ?? '')?.[0] ?? sha);
}

export interface AvailableCommit {
  readonly commit: RawCommit;
  readonly isWhole: boolean;
}

/** After so many failures, the other commits are read without their changes, so that the number of git processes is limited. */
const MOST_FAILURES = 1_000;

/**
 * Reads commits with their changes, as {@link readCommits} does. If git exits because it cannot read an object, for example in a partial clone, the commits that
 * need that object are read without their changes, and come last.
 */
export async function* readAvailableCommits(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  const unreadable: string[] = [];
  let start = yield* readUntilFailure(git, shas);
  // A `.mailmap` that cannot be read would make every read fail.
  const mailmap = start === shas.length ? git : await git.withReadableMailmap();
  while (start < shas.length && unreadable.length < MOST_FAILURES) {
    // Either git failed at this commit, or at the next one before this one was complete.
    const [sha = '', ...others] = shas.slice(start);
    if ((yield* readUntilFailure(mailmap, [sha])) === 0) unreadable.push(sha);
    start += 1 + (yield* readUntilFailure(mailmap, others));
  }
  for await (const commit of readCommits(mailmap, [...unreadable, ...shas.slice(start)], false)) yield { commit, isWhole: false };
}

/** @returns how many commits were read */
async function* readUntilFailure(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, number, undefined> {
  let done = 0;
  try {
    for await (const commit of readCommits(git, shas, true)) {
      done++;
      yield { commit, isWhole: true };
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return done;
}

/** Whether git itself exited with an error, other than an unknown option. */
export function isRefusal(error: unknown): boolean {
  return error instanceof GitError && error.exitCode !== null && error.exitCode !== 129;
}
