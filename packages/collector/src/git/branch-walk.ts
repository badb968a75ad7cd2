import type { Git } from './git.js';
import type { GitRefs } from './git-refs.js';

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
