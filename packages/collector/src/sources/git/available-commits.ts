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

const COMMITS_PER_PART = 10_000;
/** After this many failures the rest of a part is skipped, so that the number of git processes is limited. */
const MOST_FAILURES = 64;

/**
 * Reads commits with their changes, as {@link readCommits} does. If git exits because it cannot read an object, for example in a partial clone, the commits that
 * need that object are read without their changes, and come last.
 */
export async function* readAvailableCommits(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  let done = 0;
  try {
    for await (const commit of readCommits(git, shas, true)) {
      done++;
      yield { commit, isWhole: true };
    }
    return;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // A `.mailmap` that cannot be read would make every read fail.
  const mailmap = await git.withReadableMailmap();
  for (; done < shas.length; done += COMMITS_PER_PART) yield* readPart(mailmap, shas.slice(done, done + COMMITS_PER_PART));
}

/** Whether git itself exited with an error, other than an unknown option. */
export function isRefusal(error: unknown): boolean {
  return error instanceof GitError && error.exitCode !== null && error.exitCode !== 129;
}

async function* readPart(git: Git, shas: readonly string[]): AsyncGenerator<AvailableCommit, void, undefined> {
  const present: string[] = [];
  for await (const sha of withoutRefused(shas, (part) => commitsWithFiles(git, part))) if (sha !== null) present.push(sha);
  const whole = new Set<string>();
  for await (const commit of withoutRefused(present, (part) => readCommits(git, part, true))) {
    whole.add(commit.sha);
    yield { commit, isWhole: true };
  }
  const rest = shas.filter((sha) => !whole.has(sha));
  for await (const commit of readCommits(git, rest, false)) yield { commit, isWhole: false };
}

/** Reads the commits in order, without those at which git fails. Each read yields at most one item for a commit. */
async function* withoutRefused<Item>(shas: readonly string[], read: (shas: readonly string[]) => AsyncIterable<Item>): AsyncGenerator<Item> {
  let start = 0;
  /** Yields items until git fails. @returns whether it has failed */
  const readSome = async function* (part: readonly string[]): AsyncGenerator<Item, boolean> {
    try {
      for await (const item of read(part)) {
        start++;
        yield item;
      }
      return false;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return true;
    }
  };
  for (let failures = 0; start < shas.length && failures < MOST_FAILURES; failures++) {
    if (!(yield* readSome(shas.slice(start)))) return;
    // Either git failed at this commit, or it failed before the commit was complete.
    if (yield* readSome(shas.slice(start, start + 1))) start++;
  }
}

const SUBMODULE = '160000';

/**
 * Finds the commits all of whose changed files can be read, before and after the change. Yields one item for each commit: its id, or `null` if files are missing. Ends with
 * a `GitError` at a commit whose trees are missing.
 */
async function* commitsWithFiles(git: Git, shas: readonly string[]): AsyncGenerator<string | null, void, undefined> {
  const files = new Map<string, readonly string[]>();
  try {
    for await (const { sha, ids } of changedFiles(git, shas)) files.set(sha, ids);
  } finally {
    // Commits that were read before a failure are yielded too.
    const present = await presentFiles(git, new Set([...files.values()].flat()));
    for (const [sha, ids] of files) yield ids.every((id) => present.has(id)) ? sha : null;
  }
}

function changedFiles(git: Git, shas: readonly string[]): AsyncIterable<{ readonly sha: string; readonly ids: readonly string[] }> {
  const args = ['diff-tree', '--stdin', '--always', '--root', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', ...CHANGED_BY, '--format=%x00%H'];
  return readBlocks(git.tokens(args, shaLines(shas)), 1, ([sha]) => {
    const ids: string[] = [];
    let isPath = true;
    return {
      // For each file `:mode mode id id status`, and then its path.
      take: (token) => {
        isPath = !isPath;
        if (!isPath) ids.push(...idsIn(token.toString('latin1')));
      },
      done: () => ({ sha: String(sha), ids }),
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

/** The files whose content exists locally. With `--missing`, no version of git fetches missing content. */
async function presentFiles(git: Git, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (ids.size === 0) return ids;
  const present = new Set<string>();
  const args = ['rev-list', '--no-walk', '--objects', '--no-object-names', '--ignore-missing', '--missing=allow-any', '--stdin'];
  for await (const lines of git.lines(args, shaLines([...ids]))) for (const line of lines) present.add(line);
  return present;
}
