import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Environment } from '@vitrine/config';
import { GitError } from './git-error.js';
import { readGit } from './git-process.js';

/** A repository on this machine. */
export interface FolderRepository {
  /** Absolute path of the repository's own folder. */
  readonly gitDir: string;
  /** The same, except in a linked worktree: where branches, tags and the shallow edge are. */
  readonly commonDir: string;
  /** Whether nobody works in it: its branches are what was pushed into it. */
  readonly isBare: boolean;
}

/** What opening a repository needs beside its path. */
export interface OpenOptions {
  /** From `readingEnvironment`. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What git ends with when it finds no repository, or refuses it. */
const NO_REPOSITORY = 128;

/** Finds the repository of exactly this folder, bare or not. Throws a {@link GitError} when there is none: one further up is never taken instead. */
export async function openFolder(path: string, options: OpenOptions): Promise<FolderRepository> {
  const folder = await existingFolder(path);
  try {
    // The owner of the folder may be another user, as with a mounted volume: the path was configured, so it is meant.
    const asked = ['--absolute-git-dir', '--path-format=absolute', '--git-common-dir', '--is-bare-repository', '--show-prefix'];
    const args = ['-c', 'safe.directory=*', 'rev-parse', ...asked];
    const environment = { ...options.environment, GIT_CEILING_DIRECTORIES: dirname(folder) };
    const [gitDir, commonDir, isBare, prefix] = (await readGit({ ...options, args, folder, environment })).toString('utf8').split('\n');
    // A ceiling does not hold where the path has a colon in it.
    if (gitDir === undefined || commonDir === undefined || (prefix ?? '') !== '') throw new GitError('not a git repository', NO_REPOSITORY);
    return { gitDir, commonDir, isBare: isBare === 'true' };
  } catch (error) {
    if (error instanceof GitError && error.exitCode === NO_REPOSITORY) throw new GitError(notRepository(path, error.message));
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
