import { LATEST_INSTANT, nameOfRef, quotable } from '@vitrine/core';
import { PathError } from '../../files/file-access.js';
import type { SourceContext } from '../../running/source.js';
import { textIn } from '../documents/disk-files.js';
import type { FoundFiles, ImagesBeside, SourceFile } from '../documents/files-source.js';
import { claimedInstant } from './commit-log.js';
import { GitError } from './git-process.js';
import { readStoredRefs, type GitSourceOptions } from './git-source.js';
import type { Git } from './git.js';

export interface WantedFiles {
  /** Within the repository, with slashes; empty: the whole repository. */
  readonly path: string;
  /** Whether the path is a folder. Its subfolders are read too. */
  readonly isFolder: boolean;
  readonly isWanted: (name: string) => boolean;
  readonly mostFiles: number;
  readonly maxBytes: number;
  readonly parse: SourceFile['parse'];
  /** The images that a text names. Default: texts have none. */
  readonly imagesIn?: ImagesBeside['namedIn'];
}

/** The files of a repository's default branch, without links. Rejects with a `GitError` if they cannot be listed. @param git that source of the repository; `null`: there is none */
export async function gitFiles(git: GitSourceOptions | null, wanted: WantedFiles, { signal }: Pick<SourceContext, 'signal'>): Promise<FoundFiles> {
  const { imagesIn, mostFiles, path } = wanted;
  const tree = await defaultTree(git, signal);
  const all = await filesIn(tree, wanted);
  const found = all.filter(({ name }) => wanted.isWanted(name));
  const [files, links] = [found.filter(({ isLink }) => !isLink), found.filter(({ isLink }) => isLink)];
  if (files.length > mostFiles) throw new PathError(path, `has more than ${String(mostFiles)} Markdown files; name a smaller folder`);
  const images = imagesIn === undefined ? {} : { images: { namedIn: imagesIn, find: imagesOf(all, tree.git) } };
  return {
    files: files.map((file) => ({ ...images, ...sourceFile(file, tree, wanted) })),
    warnings: links.map(({ name }) => `${tree.repository}: ${quotable(name)} was skipped, because it is a link; put the file itself there`),
  };
}

/** A file is named by its content, so it has changed exactly if its id has. */
function sourceFile({ name, sha, bytes }: TreeEntry, tree: DefaultTree, { maxBytes, parse }: WantedFiles): SourceFile {
  return {
    name,
    parse,
    look: () => Promise.resolve({ version: sha, modifiedAt: tree.changedAt }),
    read: async () => {
      if (bytes > maxBytes) throw new PathError(`${tree.repository}: ${name}`, `is larger than ${String(maxBytes / MEGABYTE)} MB; split it`);
      return textIn(await contentOf(tree.git, sha));
    },
  };
}

function imagesOf(files: readonly TreeEntry[], git: Git): ImagesBeside['find'] {
  const byName = new Map(files.filter(({ isLink }) => !isLink).map((file) => [file.name, file]));
  return (path) => {
    const file = byName.get(path);
    return Promise.resolve(file === undefined ? null : { version: file.sha, bytes: file.bytes, read: () => contentOf(git, file.sha) });
  };
}

function contentOf(git: Git, sha: string): Promise<Buffer> {
  return git.bytes(['cat-file', 'blob', sha]);
}

type DefaultTree = Awaited<ReturnType<typeof defaultTree>>;

/** The default branch at one moment. Its files are read from git's objects without a checkout. Rejects with a {@link GitError} if there is no clone yet, or no default branch that is shown. */
async function defaultTree(options: GitSourceOptions | null, signal: AbortSignal) {
  if (options === null) throw new GitError('its repository has no git source; add one to sources');
  const repository = nameOfRef(options.ref);
  const { git, refs } = await readStoredRefs(options, signal);
  const branch = refs.branches.find((one) => one.name === refs.defaultBranch);
  if (branch === undefined) throw new GitError(`${repository} has no default branch that is shown; correct the key branches of its git source`);
  const seconds = await git.answer(['log', '-1', '--format=%ct', branch.sha]);
  // If it is unknown when the newest commit was made, the latest time serves, because times are limited to now.
  const changedAt = seconds ? claimedInstant(Number(seconds)) : LATEST_INSTANT;
  return { git, repository, branch: branch.name, commit: branch.sha, changedAt };
}

/** `name`: the path, which `filesIn` gives below the folder that was listed. `type`: `tree`, `blob`, or `commit` of a submodule. */
type TreeEntry = ReturnType<typeof entryOf>;

const MEGABYTE = 1_024 * 1_024;
/** More entries would fill the memory. */
const MOST_ENTRIES = 1_000_000;
const LINK = '120000';
/** Mode, type, id and size, then a tab and the path. Folders and submodules have no size. */
const ENTRY = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]+)$/;

async function filesIn(tree: DefaultTree, { path, isFolder }: WantedFiles): Promise<readonly TreeEntry[]> {
  const entries = await listed(tree, path);
  const type = isFolder ? 'tree' : 'blob';
  if (path !== '' && !entries.some((entry) => entry.name === path && entry.type === type)) {
    const what = `${isFolder ? 'folder' : 'file'} ${JSON.stringify(path)}`;
    throw new GitError(`${tree.repository} has no ${what} in its branch ${tree.branch}; correct the path in the configuration`);
  }
  const start = isFolder && path !== '' ? path.length + 1 : 0;
  return entries.filter((entry) => entry.type === 'blob').map((file) => ({ ...file, name: file.name.slice(start) }));
}

/** The path itself, the folders that lead to it, and all that is below it. */
async function listed({ git, repository, commit }: DefaultTree, path: string): Promise<readonly TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const place = path === '' ? [] : ['--', `:(literal)${path}`];
  for await (const tokens of git.tokens(['ls-tree', '-r', '-t', '-z', '--long', '--full-tree', commit, ...place])) {
    for (const token of tokens) entries.push(entryOf(token.toString('utf8')));
    if (entries.length > MOST_ENTRIES) throw new GitError(`${repository} has more than ${String(MOST_ENTRIES)} files there; name a smaller folder`);
  }
  return entries;
}

function entryOf(text: string) {
  const [, mode = '', type = '', sha = '', bytes, name = ''] = ENTRY.exec(text) ?? [];
  return { type, name, sha, bytes: Number(bytes), isLink: mode === LINK };
}
