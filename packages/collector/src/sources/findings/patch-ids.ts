import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from '@vitrine/config';
import { shaLines } from '../git/commit-log.js';
import { GitError } from '../git/git-process.js';
import type { Git } from '../git/git.js';

/** How long a computation may block the process. */
const MOST_MS = 10;

/** Lets the rest of the process go on during a long computation. */
export class Pauses {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < MOST_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** A commit, and the commit that it is compared with: its parent by default. */
export interface ComparedCommit {
  readonly sha: string;
  readonly base?: string;
}

export function comparedLines(commits: readonly ComparedCommit[]): Iterable<string> {
  return shaLines(commits.map(({ sha, base }) => (base === undefined ? sha : `${sha} ${base}`)));
}

/** Every setting that changes a patch is fixed, so that the ids do not depend on the configuration of a repository. */
const PATCHES = [
  ...['diff-tree', '--stdin', '--root', '-r', '-p', '--unified=3', '--inter-hunk-context=0', '--diff-algorithm=myers', '--indent-heuristic'],
  ...['--no-renames', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '--no-ext-diff', '--no-textconv', '--no-color'],
  ...['--submodule=short', '--ignore-submodules=none'],
];
const VERSION = /^git version \d/;
/** Before this version, all changes of a binary file have the same patch id. */
const OLDEST = '2.39';

/** The patch id of each commit: a hash of its change, wherever it is applied; `''` for a commit that changes nothing. Rejects with a `GitError` if a commit cannot be read. */
export async function readPatchIds(git: Git, wanted: readonly ComparedCommit[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map(wanted.map(({ sha }) => [sha, '']));
  if (wanted.length === 0) return ids;
  const failures: Error[] = [];
  const patches = async function* (): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* git.stream(PATCHES, comparedLines(wanted));
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  };
  let output = '';
  for await (const piece of git.stream(['patch-id', '--stable'], patches())) output += piece.toString('latin1');
  // A process whose input ends early cannot tell that from its end.
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  for (const line of output.split('\n')) {
    const [id = '', sha = ''] = line.split(' ');
    if (ids.has(sha)) ids.set(sha, id);
  }
  return ids;
}

/** The values of `PATH` that lead to a git that is recent enough. Each is asked once, because to start a process is expensive. */
const RECENT = new Set<string>();

/** Throws a `GitError` if git is too old for patch ids that tell all changes apart. */
export async function requirePatchIds(git: Git, { PATH = '' }: Environment): Promise<void> {
  if (RECENT.has(PATH)) return;
  const version = (await git.text(['version'])).trim();
  if (!VERSION.test(version) || version.localeCompare(`git version ${OLDEST}`, 'en', { numeric: true }) < 0)
    throw new GitError(`findings need git ${OLDEST} or later, but this is ${version}: update git, or remove findings: true`);
  RECENT.add(PATH);
}
