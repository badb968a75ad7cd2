import type { Git } from './git.js';
import type { Environment } from '@vitrine/config';
import { SECOND, type Instant } from '@vitrine/core';
import type { BranchChoice } from './branch-scope.js';
import { localRepository } from './local-repository.js';
import { GitError } from './git-error.js';
import { readSourceRefs } from './git-refs.js';

export interface GitReading {
  /** As in the git source; `null`: there is none. */
  readonly location: string | null;
  readonly url: string;
  readonly remote: string | null;
  readonly branches: BranchChoice;
  readonly name: string;
  readonly cacheFolder: string;
  readonly environment: Environment;
}

export interface TreeFile {
  /** Its path below the folder that was listed. */
  readonly name: string;
  readonly sha: string;
  readonly bytes: number;
  readonly isLink: boolean;
}

const TIMEOUT_MS = 60 * SECOND;
/** More entries would fill the memory. */
const MOST_ENTRIES = 1_000_000;
const LINK = '120000';
/** Mode, type, id and size, then a tab and the path. A submodule has no size. */
const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]+)$/;

/** The files of the default branch, read from git's objects without a checkout. */
export class DefaultTree {
  readonly git: Git;
  /** When the newest commit of the branch was made. */
  readonly changedAt: Instant;
  readonly #commit: string;
  readonly #branch: string;
  readonly #name: string;

  private constructor(git: Git, branch: { readonly name: string; readonly sha: string }, changedAt: Instant, name: string) {
    [this.git, this.#commit, this.#branch, this.changedAt, this.#name] = [git, branch.sha, branch.name, changedAt, name];
  }

  /** Rejects with a {@link GitError} if there is no clone yet, or no default branch that is shown. */
  static async open(reading: GitReading, signal: AbortSignal): Promise<DefaultTree> {
    const { location, name } = reading;
    if (location === null) throw new GitError(`${name} has no git source; add one to sources`);
    const options = { ...reading, location, timeoutMs: TIMEOUT_MS, signal };
    const { git, refs } = await readSourceRefs(await localRepository(options), options);
    const branch = refs.branches.find((one) => one.name === refs.defaultBranch);
    if (branch === undefined) throw new GitError(`${name} has no default branch that is shown; correct the key branches of its git source`);
    const seconds = Number(await git.answer(['log', '-1', '--format=%ct', branch.sha]));
    return new DefaultTree(git, branch, Number.isFinite(seconds) ? seconds * SECOND : 0, name);
  }

  /** The files below a folder, or the one file. Rejects with a {@link GitError} if it does not exist. @param path with slashes; empty: the whole repository */
  async files(path: string, isFolder: boolean): Promise<readonly TreeFile[]> {
    const object = path === '' ? `${this.#commit}^{tree}` : `${this.#commit}:${path}`;
    const type =
      (await this.git.answer(['rev-parse', '--quiet', '--verify', object])) === null ? null : await this.git.answer(['cat-file', '-t', object]);
    const wanted = isFolder ? 'tree' : 'blob';
    if (type !== wanted) {
      const what = isFolder ? 'folder' : 'file';
      throw new GitError(`${this.#name} has no ${what} ${JSON.stringify(path)} in its branch ${this.#branch}; correct the path in the configuration`);
    }
    const args = ['ls-tree', '-r', '-z', '--long', '--full-tree'];
    return this.#listed(isFolder ? [...args, object] : [...args, this.#commit, '--', `:(literal)${path}`]);
  }

  async #listed(args: readonly string[]): Promise<readonly TreeFile[]> {
    const files: TreeFile[] = [];
    let entries = 0;
    for await (const tokens of this.git.tokens(args)) {
      for (const token of tokens) {
        if (++entries > MOST_ENTRIES) throw new GitError(`${this.#name} has more than ${String(MOST_ENTRIES)} files there; name a smaller folder`);
        const [, mode, type, sha = '', bytes, name = ''] = ENTRY.exec(token.toString('utf8')) ?? [];
        if (type === 'blob') files.push({ name, sha, bytes: Number(bytes), isLink: mode === LINK });
      }
    }
    return files;
  }
}
