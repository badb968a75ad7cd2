import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Environment } from '../config/environment.js';
import { GitError } from './git-error.js';
import { readGit } from './git-process.js';

/** A repository on this machine. */
export interface FolderRepository {
  /** Absolute path of the repository's own folder. */
  readonly gitDir: string;
  /** The same, except in a linked worktree: where branches, tags and the shallow edge are. */
  readonly commonDir: string;
}

/** What opening a repository needs beside its path. */
export interface OpenOptions {
  /** From `readingEnvironment`. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Finds the repository of exactly this folder, bare or not. Throws a {@link GitError} when there is none: one further up is never taken instead. */
export async function openFolder(path: string, options: OpenOptions): Promise<FolderRepository> {
  const folder = await existingFolder(path);
  try {
    // The owner of the folder may be another user, as with a mounted volume: the path was configured, so it is meant.
    const args = ['-c', 'safe.directory=*', 'rev-parse', '--absolute-git-dir', '--path-format=absolute', '--git-common-dir'];
    const environment = { ...options.environment, GIT_CEILING_DIRECTORIES: dirname(folder) };
    const [gitDir, commonDir] = (await readGit({ ...options, args, folder, environment })).toString('utf8').split('\n');
    if (gitDir === undefined || commonDir === undefined) throw new GitError('git rev-parse gave no folder');
    return { gitDir, commonDir };
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 128) throw new GitError(notRepository(path, error.message));
    throw error;
  }
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new GitError(`"${path}" does not exist: give the folder of a git repository, or a clone address`);
  if (!found.isDirectory()) throw new GitError(`"${path}" is not a folder: give the folder of a git repository, or a clone address`);
  return realpath(path);
}

function notRepository(path: string, said: string): string {
  const reason = said.includes('not a git repository') ? '' : ` (${said})`;
  return `"${path}" is not a git repository${reason}: give the folder that holds .git, a bare repository, or a clone address`;
}
