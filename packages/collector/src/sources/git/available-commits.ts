import type { Git } from './git.js';
import type { GitRefs } from './git-refs.js';
import { CHANGED_BY, readBlocks, readCommits, shaLines, type RawCommit } from './commit-log.js';
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

/** More commits at once would hold the ids of too many files in memory. */
const COMMITS_PER_PART = 1_000;
/** After so many failures, the other commits are read without their changes, so that the number of git processes is limited. In a partial clone, git looks at all objects before each failure. */
const MOST_FAILURES = 64;

/**
 * Reads commits with their changes, as {@link readCommits} does. If git exits because it cannot read an object, for example in a partial clone, the commits that
 * need that object are read without their changes, and come last.
 */
export async function* readAvailableCommits(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  const isRead = new Set<string>();
  const whole = async function* (commits: AsyncIterable<RawCommit>): AsyncGenerator<AvailableCommit> {
    for await (const commit of commits) {
      isRead.add(commit.sha);
      yield { commit, isWhole: true };
    }
  };
  const done = yield* untilFailure(whole(readCommits(git, shas, true)));
  if (done === shas.length) return;
  // A `.mailmap` that cannot be read would make every read fail.
  const mailmap = await git.withReadableMailmap();
  const failures = { left: MOST_FAILURES };
  for (let start = done; start < shas.length; start += COMMITS_PER_PART) {
    const present = await commitsWithFiles(mailmap, shas.slice(start, start + COMMITS_PER_PART), failures);
    yield* withoutRefused(present, (some) => whole(readCommits(mailmap, some, true)), failures);
  }
  const rest = shas.filter((sha) => !isRead.has(sha));
  for await (const commit of readCommits(mailmap, rest, false)) yield { commit, isWhole: false };
}

interface Failures {
  left: number;
}

/** Reads the commits in order, without those at which git fails. @param read gives one item for each commit */
async function* withoutRefused<Item>(shas: readonly string[], read: (shas: readonly string[]) => AsyncIterable<Item>, failures: Failures) {
  let start = yield* untilFailure(read(shas));
  while (start < shas.length && failures.left > 0) {
    // Either git failed at this commit, or at the next one before this one was complete.
    const [sha = '', ...others] = shas.slice(start);
    if ((yield* untilFailure(read([sha]))) === 0) failures.left -= 1;
    start += 1 + (yield* untilFailure(read(others)));
  }
}

/** @returns how many items were read */
async function* untilFailure<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, number, undefined> {
  let done = 0;
  try {
    for await (const item of items) {
      done++;
      yield item;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return done;
}

const SUBMODULE = '160000';

/** The commits all of whose changed files exist here, before and after the change. To search for the files takes less than to fail at each commit that lacks one. */
async function commitsWithFiles(git: Git, shas: readonly string[], failures: Failures): Promise<readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for await (const [sha, ids] of withoutRefused(shas, (some) => changedFiles(git, some), failures)) files.set(sha, ids);
  const present = await presentFiles(git, new Set([...files.values()].flat()));
  return [...files].flatMap(([sha, ids]) => (ids.every((id) => present.has(id)) ? sha : []));
}

/** Each commit with the ids of its changed files. Reads only trees. */
async function* changedFiles(git: Git, shas: readonly string[]): AsyncGenerator<readonly [sha: string, ids: readonly string[]]> {
  if (shas.length === 0) return;
  const args = ['diff-tree', '--stdin', '--always', '--root', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', ...CHANGED_BY, '--format=%x00%H'];
  yield* readBlocks(git.tokens(args, shaLines(shas)), 1, ([sha]) => {
    const ids: string[] = [];
    let isPath = true;
    return {
      // For each file `:mode mode id id status`, and then its path.
      take: (token) => {
        isPath = !isPath;
        if (!isPath) ids.push(...idsIn(token.toString('latin1')));
      },
      done: () => [String(sha), ids] as const,
    };
  });
}

function idsIn(line: string): readonly string[] {
  const [oldMode, newMode, oldId = '', newId = ''] = line.replace(/^\n?:/, '').split(' ');
  const both = [
    [oldMode, oldId],
    [newMode, newId],
  ] as const;
  return both.flatMap(([mode, id]) => (mode !== SUBMODULE && /[^0]/.test(id) ? id : []));
}

/** The files whose content exists here. With `--missing`, no version of git fetches missing content. */
async function presentFiles(git: Git, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  if (ids.size === 0) return present;
  const args = ['rev-list', '--no-walk', '--objects', '--no-object-names', '--ignore-missing', '--missing=allow-any', '--stdin'];
  for await (const lines of git.lines(args, shaLines([...ids]))) for (const line of lines) present.add(line);
  return present;
}

/** Whether git itself exited with an error, other than an unknown option. */
export function isRefusal(error: unknown): boolean {
  return error instanceof GitError && error.exitCode !== null && error.exitCode !== 129;
}
