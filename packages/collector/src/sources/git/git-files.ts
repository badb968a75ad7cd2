import { PathError } from '../../files/path-error.js';
import { quotable, SECOND, type Instant } from '@vitrine/core';
import type { FoundFiles, ImagesBeside, SourceFile } from '../documents/files-source.js';
import type { SourceContext } from '../../running/source.js';
import { ObjectReader, type Git } from './git.js';
import type { Environment } from '@vitrine/config';
import type { BranchChoice } from './branch-scope.js';
import { localRepository } from './local-repository.js';
import { GitError } from './git-error.js';
import { readSourceRefs } from './git-refs.js';

export interface WantedFiles {
  /** Within the repository, with slashes; empty: the whole repository. */
  readonly path: string;
  /** Whether the path is a folder. Its subfolders are read too. */
  readonly isFolder: boolean;
  /** @param name below the folder */
  readonly isWanted: (name: string) => boolean;
  readonly mostFiles: number;
  readonly maxBytes: number;
  readonly parse: SourceFile['parse'];
  /** The images that a text names. Default: texts have none. */
  readonly imagesIn?: ImagesBeside['namedIn'];
}

/** The files of a repository's default branch. Links are left out with a warning, as on disk. Rejects with a `GitError` if they cannot be listed. */
export async function gitFiles(reading: GitReading, wanted: WantedFiles, { signal }: Pick<SourceContext, 'signal'>): Promise<FoundFiles> {
  const tree = await DefaultTree.open(reading, signal);
  const all = await tree.files(wanted.path, wanted.isFolder);
  const found = all.filter(({ name }) => wanted.isWanted(name));
  const [files, links] = [found.filter(({ isLink }) => !isLink), found.filter(({ isLink }) => isLink)];
  if (files.length > wanted.mostFiles)
    throw new PathError(wanted.path, `has more than ${String(wanted.mostFiles)} Markdown files; name a smaller folder`);
  const objects = new ObjectReader(tree.git);
  const parts = { parse: wanted.parse, ...(wanted.imagesIn !== undefined && { images: { namedIn: wanted.imagesIn, find: imagesOf(all, objects) } }) };
  return {
    files: files.map((file) => ({ ...parts, ...sourceFile(file, { tree, objects, wanted, repository: reading.name }) })),
    warnings: links.map(({ name }) => `${reading.name}: ${quotable(name)} was skipped, because it is a link; put the file itself there`),
    close: () => objects.close(),
  };
}

interface Reading {
  readonly tree: DefaultTree;
  readonly objects: ObjectReader;
  readonly wanted: WantedFiles;
  readonly repository: string;
}

/** A file is named by its content, so it has changed exactly if its id has. */
function sourceFile({ name, sha, bytes }: TreeFile, { tree, objects, wanted, repository }: Reading): Pick<SourceFile, 'name' | 'look' | 'read'> {
  return {
    name,
    look: () => Promise.resolve({ version: sha, modifiedAt: tree.changedAt }),
    read: async () => {
      if (bytes > wanted.maxBytes) throw new PathError(`${repository}: ${name}`, `is larger than ${String(wanted.maxBytes)} bytes; split it`);
      return new TextDecoder().decode(await objects.read(sha)).replace(/\r\n?/g, '\n');
    },
  };
}

function imagesOf(files: readonly TreeFile[], objects: ObjectReader): ImagesBeside['find'] {
  const byName = new Map(files.filter(({ isLink }) => !isLink).map((file) => [file.name, file]));
  return (path) => {
    const file = byName.get(path);
    return Promise.resolve(file === undefined ? null : { version: file.sha, bytes: file.bytes, read: () => objects.read(file.sha) });
  };
}

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
class DefaultTree {
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
