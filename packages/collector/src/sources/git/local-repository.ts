import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { GitLocation } from '@vitrine/config';
import { errorCodeOf, readGitLocation } from '@vitrine/config/internal';
import { CloneShelf, type Clone } from './clone-shelf.js';
import { readingEnvironment, type GitProcessOptions } from './git.js';
import { GitError, readGit } from './git-process.js';
import { privateFolder } from './private-folder.js';

export function parseGitLocation(text: string): GitLocation {
  const location = readGitLocation(text);
  if (location.kind === 'malformed') throw new GitError(location.problem);
  return location;
}

export interface FolderRepository {
  /** Absolute path of the `.git` folder or of the bare repository. */
  readonly gitDir: string;
  /** The folder with the branches, the tags and the shallow boundary. Differs from `gitDir` only in a linked worktree. */
  readonly commonDir: string;
  /** Whether it has no working copy. Its branches are then those that were pushed into it. */
  readonly isBare: boolean;
}

const NO_REPOSITORY = 128;

/** Finds the repository in exactly this folder, bare or not, and not in one above it. Throws a {@link GitError} if there is none. */
export async function openFolder(path: string, { environment, timeoutMs, signal }: GitProcessOptions): Promise<FolderRepository> {
  const folder = await existingFolder(path);
  try {
    // The folder may belong to another user, as a mounted volume does. That is accepted, because the path was configured on purpose.
    const asked = ['--absolute-git-dir', '--path-format=absolute', '--git-common-dir', '--is-bare-repository', '--show-prefix'];
    const args = ['-c', 'safe.directory=*', 'rev-parse', ...asked];
    const own = { ...readingEnvironment(environment), GIT_CEILING_DIRECTORIES: dirname(folder) };
    const [gitDir, commonDir, isBare, prefix] = (await readGit({ args, folder, environment: own, timeoutMs, signal })).toString('utf8').split('\n');
    // GIT_CEILING_DIRECTORIES does not work if the path contains a colon.
    if (gitDir === undefined || commonDir === undefined || prefix) throw new GitError('not a git repository', NO_REPOSITORY);
    return { gitDir, commonDir, isBare: isBare === 'true' };
  } catch (error) {
    if (!(error instanceof GitError) || error.exitCode !== NO_REPOSITORY) throw error;
    const reason = error.message.includes('not a git repository') ? '' : ` (${error.message})`;
    throw new GitError(`"${path}" is not a git repository${reason}: give the folder that holds .git, a bare repository, or a clone address`);
  }
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => unlessForbidden(error, path));
  if (found?.isDirectory() !== true)
    throw new GitError(`"${path}" ${found === null ? 'does not exist' : 'is not a folder'}: give the folder of a git repository, or a clone address`);
  // If this user may not enter it, git cannot even start there.
  await stat(`${path}/.`).catch((error: unknown) => unlessForbidden(error, path));
  return realpath(path);
}

function unlessForbidden(error: unknown, path: string): null {
  if (errorCodeOf(error) !== 'EACCES') return null;
  throw new GitError(`"${path}" may not be read by this user: change the permissions of the folder, or of one above it`);
}

export function folderOf({ gitDir }: Clone): FolderRepository {
  return { gitDir, commonDir: gitDir, isBare: true };
}

export interface LocalRepositoryOptions extends GitProcessOptions {
  readonly location: string;
  readonly cacheFolder: string;
  readonly dataFolder: string | null;
}

/** Opens the repository of a git source without a network: its folder, or the clone of its last run. Throws a {@link GitError} if there is none yet. */
export async function localRepository(name: string, options: LocalRepositoryOptions): Promise<FolderRepository> {
  const location = parseGitLocation(options.location);
  if (location.kind === 'folder') return openFolder(location.path, options);
  const folder = await privateFolder(options.cacheFolder, options.dataFolder);
  const clone = await new CloneShelf(folder, location.address).current();
  // The git source replaces a clone that another user could have changed.
  if (clone?.isTrusted !== true) throw new GitError(`${name} has not been cloned yet; its git source has to be collected first`);
  return folderOf(clone);
}
