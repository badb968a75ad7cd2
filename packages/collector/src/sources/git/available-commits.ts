import type { Git } from './git.js';
import type { GitRefs } from './git-refs.js';
import { readCommits, type RawCommit } from './commit-log.js';
import { GitError } from './git-error.js';
import { commitsWithFiles } from './default-tree.js';

const NEWLINE = 10;
const SPACE = 32;

/**
 * Every commit that a branch reaches, newest first, each with its branch: the default branch if it contains the commit, or else the first such
 * branch by name. `null` for commits that only a detached HEAD reaches.
 */
export async function walkBranches(git: Git, refs: GitRefs): Promise<Map<string, string | null>> {
  const tips = [
    ...refs.branches.map(({ name, sha }) => ({ name, sha })),
    ...(refs.detachedHead === null ? [] : [{ name: null, sha: refs.detachedHead }]),
  ];
  const walk = new BranchWalk(tips.map(({ name }) => name));
  if (tips.length === 0) return walk.branches;
  // A branch can point at a tag object, so git resolves each tip to a commit.
  const commits = await commitsOf(
    git,
    tips.map(({ sha }) => sha),
  );
  commits.forEach((sha, rank) => {
    walk.reaches(sha, rank);
  });
  const input = commits.map((sha) => `${sha}\n`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of git.stream(['rev-list', '--topo-order', '--parents', '--stdin'], input)) {
    rest = walk.read(rest.length === 0 ? piece : Buffer.concat([rest, piece]));
  }
  return walk.branches;
}

/** For each object the commit to which it leads, as a tag does; the object itself if it leads to none. */
export async function commitsOf(git: Git, shas: readonly string[]): Promise<string[]> {
  const pieces: Buffer[] = [];
  const input = shas.map((sha) => `${sha}^{commit}\n`);
  for await (const piece of git.stream(['cat-file', '--batch-check=%(objectname)'], input)) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('latin1').split('\n');
  return shas.map((sha, index) => (/^[0-9a-f]+$/.test(lines[index] ?? '') ? (lines[index] ?? sha) : sha));
}

/** Children come before their parents. So one pass is enough to give each commit the best branch of all that reach it. */
class BranchWalk {
  readonly branches = new Map<string, string | null>();
  readonly #names: readonly (string | null)[];
  /** The best rank so far of the commits that were not read yet. */
  readonly #ranks = new Map<string, number>();

  constructor(names: readonly (string | null)[]) {
    this.#names = names;
  }

  reaches(sha: string, rank: number): void {
    const known = this.#ranks.get(sha);
    if (known === undefined || rank < known) this.#ranks.set(sha, rank);
  }

  /** Processes complete lines, `commit parent…`, and returns the rest. */
  read(bytes: Buffer): Buffer {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#take(bytes, start, end);
      start = end + 1;
    }
    return bytes.subarray(start);
  }

  #take(bytes: Buffer, start: number, end: number): void {
    const firstSpace = bytes.indexOf(SPACE, start);
    const shaEnd = firstSpace < 0 || firstSpace > end ? end : firstSpace;
    const length = shaEnd - start;
    const sha = bytes.toString('latin1', start, shaEnd);
    const rank = this.#ranks.get(sha) ?? this.#names.length;
    this.#ranks.delete(sha);
    this.branches.set(sha, this.#names[rank] ?? null);
    for (let parent = shaEnd + 1; parent < end; parent += length + 1) this.reaches(bytes.toString('latin1', parent, parent + length), rank);
  }
}

/** A commit, and whether git could read its changes. */
export interface AvailableCommit {
  readonly commit: RawCommit;
  readonly isWhole: boolean;
}

const COMMITS_PER_PART = 1_000;
/** After this many consecutive failures, each further failure skips twice as many commits as the one before. */
const PATIENCE = 8;
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
  const present = new Set<string>();
  for await (const sha of withoutRefused(shas, (part) => commitsWithFiles(git, part))) if (sha !== null) present.add(sha);
  const whole = new Set<string>();
  for await (const commit of withoutRefused([...present], (part) => readCommits(git, part, true))) {
    whole.add(commit.sha);
    yield { commit, isWhole: true };
  }
  const rest = shas.filter((sha) => !whole.has(sha));
  for await (const commit of readCommits(git, rest, false)) yield { commit, isWhole: false };
}

/** Reads the commits in order, without those at which git fails. Each read yields at most one item for a commit. */
async function* withoutRefused<Item>(shas: readonly string[], read: (shas: readonly string[]) => AsyncIterable<Item>): AsyncGenerator<Item> {
  let [start, inRow, failures] = [0, 0, 0];
  while (start < shas.length && failures < MOST_FAILURES) {
    const before = start;
    try {
      for await (const item of read(shas.slice(start))) {
        start++;
        yield item;
      }
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    failures++;
    inRow = start > before ? 0 : inRow + 1;
    // Either git failed at this commit, or it failed before the commit was complete.
    const alone = await itemsOf(read(shas.slice(start, start + 1)));
    yield* alone;
    start += alone.length > 0 ? 1 : skippedAfter(inRow);
  }
}

function skippedAfter(failuresInRow: number): number {
  return 2 ** Math.max(0, failuresInRow - PATIENCE + 1);
}

async function itemsOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
    return all;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [];
  }
}
