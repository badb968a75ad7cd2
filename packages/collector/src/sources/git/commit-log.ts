import { EARLIEST_INSTANT, LATEST_INSTANT, type Commit, type Instant, MAX_CHANGED_PATHS } from '@vitrine/core';
import { GitError } from './git-process.js';
import type { GitRefs } from './git-refs.js';
import { type Git, textOf } from './git.js';
import { publicBranch } from './public-text.js';

/** A commit as git prints it, with at most {@link MAX_CHANGED_PATHS} paths. For a renamed file, its new path. */
export interface RawCommit extends Pick<Commit, 'sha' | 'authorName' | 'additions' | 'deletions' | 'filesChanged' | 'changedPaths'> {
  /** The date of the committer, or else of the author; `null` if neither is readable. */
  readonly committedAt: Instant | null;
  /** The message up to its first NUL. */
  readonly message: string;
  /** Whether its changes were read. */
  readonly isWhole: boolean;
}

export type DatedCommit = RawCommit & { readonly committedAt: Instant };

export function isDated(commit: RawCommit): commit is DatedCommit {
  return commit.committedAt !== null;
}

/** Git prints this name of the field itself if it cannot read who the author is. */
const AUTHOR = '%aN';
const FORMAT = `--format=%x00%H%x00${AUTHOR}%x00%ct%x00%B`;
const FIELDS = 4;
/**
 * A plumbing command, whose output does not depend on the user's configuration. The change of a merge is the difference to its first parent. By default, 1,000 moved and
 * changed files are compared with 1,000 others, which takes minutes; `-l400` limits this. Files that are only moved are always found.
 */
const WITH_CHANGES = [
  ...['diff-tree', '--stdin', '--always', '--root', '-r', '--numstat', '-M', '-l400', '--diff-merges=first-parent', '--ignore-submodules=none'],
  ...['--no-ext-diff', '--no-textconv', '--submodule=short', '--encoding=UTF-8'],
];
/** Unlike `diff-tree`, this command reads no tree. */
const WITHOUT_CHANGES = ['log', '--stdin', '--no-walk=unsorted', '--no-patch', '--no-decorate', '--no-notes', '--encoding=UTF-8'];
const SHAS_PER_WRITE = 500;

/** Reads commits in the order of the shas. Without changes, it reads no trees. */
export async function* readCommits(git: Git, shas: readonly string[], withChanges: boolean): AsyncGenerator<RawCommit, void, undefined> {
  if (shas.length === 0) return;
  const args = [...(withChanges ? WITH_CHANGES : WITHOUT_CHANGES), '-z', FORMAT];
  for await (const commit of readBlocks(git.tokens(args, shaLines(shas)), FIELDS, (fields) => commitBlock(fields, withChanges))) {
    // Git does not print some dates, such as those before 1970.
    yield commit.committedAt === null ? { ...commit, committedAt: dateIn(await git.bytes(['cat-file', 'commit', commit.sha])) } : commit;
  }
}

export function* shaLines(shas: readonly string[]): Generator<string, void, undefined> {
  for (let start = 0; start < shas.length; start += SHAS_PER_WRITE) yield `${shas.slice(start, start + SHAS_PER_WRITE).join('\n')}\n`;
}

/** The date of a commit or a tag, limited to the range of times that records can contain. */
export function claimedInstant(seconds: number): Instant {
  return Math.min(Math.max(seconds * 1_000, EARLIEST_INSTANT), LATEST_INSTANT);
}

/** The commits whose author has another name in the present `.mailmap` than in an earlier one; all commits if the earlier one cannot be read any more. `null` for an earlier or present one: there was none. */
export async function renamedCommits(git: Git, shas: readonly string[], earlier: string | null, present: string | null): Promise<readonly string[]> {
  if (earlier === present) return [];
  const former = git.withMailmap(earlier);
  if ((await former.mailmapId()) !== earlier) return shas;
  const [before, now] = [await authorsOf(former, shas), await authorsOf(await git.withReadableMailmap(), shas)];
  return shas.filter((_, index) => before[index] !== now[index]);
}

function authorsOf(git: Git, shas: readonly string[]): Promise<readonly string[]> {
  return shas.length === 0 ? Promise.resolve([]) : git.allLines([...WITHOUT_CHANGES, `--format=${AUTHOR}`], shaLines(shas));
}

interface Block<Item> {
  readonly take: (token: Buffer) => void;
  readonly done: () => Item;
}

/** What git prints for each commit: an empty token, the fields of the format, then tokens for each changed file. No path is empty, so nothing else can look like the start of a commit. */
export async function* readBlocks<Item>(
  tokens: AsyncIterable<readonly Buffer[]>,
  fieldCount: number,
  blockOf: (fields: readonly Buffer[]) => Block<Item>,
): AsyncGenerator<Item, void, undefined> {
  let fields: Buffer[] = [];
  let block: Block<Item> | null = null;
  for await (const arrived of tokens) {
    for (const token of arrived) {
      // The first field is the empty token.
      if (block === null) {
        if (fields.push(token) > fieldCount) block = blockOf(fields.slice(1));
      } else if (token.length > 0) {
        block.take(token);
      } else {
        yield block.done();
        [fields, block] = [[token], null];
      }
    }
  }
  if (block !== null) yield block.done();
}

/** Changed files: one token each, or three for a renamed file. A date that git does not print is `null`. */
function commitBlock(fields: readonly Buffer[], isWhole: boolean): Block<RawCommit> {
  const [sha = '', name = '', seconds = '', message = ''] = fields.map(textOf);
  const committedAt = seconds === '' ? null : claimedInstant(Number(seconds));
  const changedPaths: string[] = [];
  const authorName = name === AUTHOR ? '' : name;
  const commit = { sha, authorName, committedAt, message, isWhole, additions: 0, deletions: 0, filesChanged: 0, changedPaths };
  /** The paths of a rename that are still expected: first the old one, then the new one. */
  let pathsToCome = 0;
  const takePath = (path: string): void => {
    if (changedPaths.length < MAX_CHANGED_PATHS) changedPaths.push(path);
  };
  return {
    take: (token) => {
      const text = token.toString('utf8');
      if (pathsToCome > 0) {
        pathsToCome -= 1;
        if (pathsToCome === 0) takePath(text);
        return;
      }
      // A line break separates the message from the first file.
      const [additions = '', deletions = '', ...path] = text.replace(/^\n/, '').split('\t');
      commit.additions += linesOf(additions);
      commit.deletions += linesOf(deletions);
      commit.filesChanged += 1;
      if (path.length === 1 && path[0] === '') pathsToCome = 2;
      else takePath(path.join('\t'));
    },
    done: () => commit,
  };
}

/** For a binary file git prints "-" instead of the number of lines. */
function linesOf(count: string): number {
  return count === '-' ? 0 : Number(count);
}

const DATE = /> ?(-?\d+)(?: [+-]\d+)?$/;

/** The first readable date in fields of a commit or a tag that name a person; `null` if there is none. Git itself prints 0 for some unreadable dates. */
export function firstDate(fields: readonly string[]): Instant | null {
  const [seconds] = fields.flatMap((field) => DATE.exec(field)?.[1] ?? []);
  return seconds === undefined ? null : claimedInstant(Number(seconds));
}

function dateIn(commit: Buffer): Instant | null {
  const header = commit.toString('latin1', 0, commit.indexOf('\n\n')).split('\n');
  return firstDate(['committer ', 'author '].map((name) => header.find((line) => line.startsWith(name)) ?? ''));
}

/** After this number of failures, the remaining commits are read without their changes, because each failure in a partial clone is slow. */
const MOST_FAILURES = 8;

/** Reads commits with their changes, as {@link readCommits} does. Commits that need an object which git cannot read, for example in a partial clone, come last and without changes. */
export async function* readAvailableCommits(git: Git, shas: readonly string[]): AsyncGenerator<RawCommit, void, undefined> {
  const isRead = new Set<string>();
  let start = yield* untilFailure(readCommits(git, shas, true), isRead);
  if (start === shas.length) return;
  // A `.mailmap` that cannot be read would make every read fail.
  const reader = await git.withReadableMailmap();
  for (let failures = 0; start < shas.length && failures < MOST_FAILURES;) {
    // Either git failed at this commit, or at the next one before this one was complete.
    const [sha = '', ...others] = shas.slice(start);
    if ((yield* untilFailure(readCommits(reader, [sha], true), isRead)) === 0) failures += 1;
    start += 1 + (yield* untilFailure(readCommits(reader, others, true), isRead));
  }
  const rest = shas.filter((sha) => !isRead.has(sha));
  yield* readCommits(reader, rest, false);
}

async function* untilFailure(commits: AsyncIterable<RawCommit>, isRead: Set<string>): AsyncGenerator<RawCommit, number, undefined> {
  let done = 0;
  try {
    for await (const commit of commits) {
      done++;
      isRead.add(commit.sha);
      yield commit;
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

/** Every commit that a branch reaches, newest first, with its branch as it is shown: the default one, or else the first by name. `null`: it is not shown, or only a detached HEAD reaches it. */
export async function walkBranches(git: Git, { branches: refs, detachedHead }: GitRefs): Promise<ReadonlyMap<string, string | null>> {
  const names = [...refs.map(({ name }) => publicBranch(name)), null];
  // A branch can point at a tag object, which leads to a commit.
  const tips = await commitsOf(git, [...refs.map(({ sha }) => sha), ...(detachedHead === null ? [] : [detachedHead])], new Set());
  const branches = new Map<string, string | null>();
  /** The lowest place in `names` so far of the commits that were not read yet. */
  const ranks = new Map<string, number>();
  const reach = (sha: string, rank: number): void => void ranks.set(sha, Math.min(rank, ranks.get(sha) ?? rank));
  tips.forEach(reach);
  // Children come before their parents, so one pass is enough.
  for await (const [sha, ...parents] of readParents(git, ['--topo-order'], tips)) {
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

/** For each object the commit to which it leads, as a tag does; the object itself if it leads to none. @param known commits that need no answer of git */
export async function commitsOf(git: Git, shas: readonly string[], known: Pick<ReadonlySet<string>, 'has'>): Promise<readonly string[]> {
  const unknown = shas.filter((sha) => !known.has(sha));
  if (unknown.length === 0) return shas;
  const answers = await git.allLines(['cat-file', '--batch-check=%(objectname)'], shaLines(unknown.map((sha) => `${sha}^{commit}`)));
  const commits = new Map(unknown.map((sha, index) => [sha, /^[0-9a-f]+$/.exec(answers[index] ?? '')?.[0]]));
  return shas.map((sha) => commits.get(sha) ?? sha);
}
