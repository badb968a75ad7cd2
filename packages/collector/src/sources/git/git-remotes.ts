import { GitError } from './git-error.js';
import type { Git } from './git.js';
import { rewritten, sameRepository, type AddressRewrite } from './remote-address.js';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Environment } from '@vitrine/config';
import { errorCodeOf } from '@vitrine/config/internal';
import { readGit } from './git-process.js';

/** A remote as a repository configures it. */
export interface GitRemote {
  readonly name: string;
  /** As configured, and as git rewrites them. They can contain passwords, so no message shows them. */
  readonly addresses: readonly string[];
  /** Its fetch settings, such as `+refs/heads/*:refs/remotes/origin/*`. */
  readonly refspecs: readonly string[];
}

/** Decides which of several remotes is used. */
interface RemoteWish {
  /** The path of the folder, for messages. */
  readonly folder: string;
  /** The configured name of the remote; `null` if not configured. */
  readonly remote: string | null;
  /** The repository's public address. */
  readonly url: string;
}

const SETTINGS = String.raw`^(remote\..*\.(url|pushurl|fetch|vcs)|url\..*\.insteadof)$`;
const REMOTE = /^remote\.(.+)\.([a-z]+)$/s;
const REWRITE = /^url\.(.+)\.insteadof$/s;

/** The remotes of a repository, in the order of its configuration. */
export async function readRemotes(git: Git): Promise<readonly GitRemote[]> {
  const settings = ((await git.answer(['config', '-z', '--get-regexp', SETTINGS])) ?? '').split('\0').map(settingOf);
  const rewrites = settings.flatMap(({ key, value }): AddressRewrite[] => {
    const base = REWRITE.exec(key)?.[1];
    return base === undefined ? [] : [{ base, prefix: value }];
  });
  const remotes = new Map<string, { readonly name: string; readonly addresses: string[]; readonly refspecs: string[] }>();
  for (const { key, value } of settings) {
    const [, name, setting] = REMOTE.exec(key) ?? [];
    if (name === undefined) continue;
    const remote = remotes.get(name) ?? { name, addresses: [], refspecs: [] };
    remotes.set(name, remote);
    if (setting === 'url') remote.addresses.push(value, rewritten(value, rewrites));
    if (setting === 'fetch') remote.refspecs.push(value);
  }
  return [...remotes.values()];
}

/**
 * Chooses the remote whose branches are shown: the configured one, or else the one with the repository's public address, or else `origin`, or else the only
 * one. `null` if there is none. Throws a {@link GitError} that names the key `remote` if the choice is ambiguous.
 */
export function chooseRemote(remotes: readonly GitRemote[], { folder, remote, url }: RemoteWish): GitRemote | null {
  const names = remotes.map(({ name }) => name).sort();
  if (remote !== null) {
    const known = names.length === 0 ? 'it has none: leave the key remote out' : `set the key remote to one of ${names.join(', ')}`;
    return remotes.find(({ name }) => name === remote) ?? refuse(`"${folder}" has no remote "${remote}"; ${known}`);
  }
  if (remotes.length < 2) return remotes[0] ?? null;
  const why = `none of them is called origin or has the address ${url}`;
  return likeliest(remotes, url) ?? refuse(`"${folder}" has several remotes, and ${why}; set the key remote to one of ${names.join(', ')}`);
}

function likeliest(remotes: readonly GitRemote[], url: string): GitRemote | undefined {
  const equal = remotes.filter(({ addresses }) => addresses.some((address) => sameRepository(address, url)));
  const isOrigin = ({ name }: GitRemote) => name === 'origin';
  return equal.find(isOrigin) ?? equal[0] ?? remotes.find(isOrigin);
}

function refuse(message: string): never {
  throw new GitError(message);
}

function settingOf(text: string): { readonly key: string; readonly value: string } {
  const end = text.indexOf('\n');
  return end < 0 ? { key: text, value: '' } : { key: text.slice(0, end), value: text.slice(end + 1) };
}

/** A repository on this machine. */
export interface FolderRepository {
  /** Absolute path of the `.git` folder or of the bare repository. */
  readonly gitDir: string;
  /** The folder with the branches, the tags and the shallow boundary. Differs from `gitDir` only in a linked worktree. */
  readonly commonDir: string;
  /** Whether it has no working copy. Its branches are then those that were pushed into it. */
  readonly isBare: boolean;
}

/** The options of {@link openFolder}. */
interface OpenOptions {
  /** From `readingEnvironment`. */
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The exit code of git if it finds no repository, or rejects it. */
const NO_REPOSITORY = 128;

/** Finds the repository in exactly this folder, bare or not. Throws a {@link GitError} if there is none. A repository in a parent folder does not count. */
export async function openFolder(path: string, options: OpenOptions): Promise<FolderRepository> {
  const folder = await existingFolder(path);
  try {
    // The folder may belong to another user, as a mounted volume does. That is accepted, because the path was configured on purpose.
    const asked = ['--absolute-git-dir', '--path-format=absolute', '--git-common-dir', '--is-bare-repository', '--show-prefix'];
    const args = ['-c', 'safe.directory=*', 'rev-parse', ...asked];
    const environment = { ...options.environment, GIT_CEILING_DIRECTORIES: dirname(folder) };
    const [gitDir, commonDir, isBare, prefix] = (await readGit({ ...options, args, folder, environment })).toString('utf8').split('\n');
    // GIT_CEILING_DIRECTORIES does not work if the path contains a colon.
    if (gitDir === undefined || commonDir === undefined || (prefix ?? '') !== '') throw new GitError('not a git repository', NO_REPOSITORY);
    return { gitDir, commonDir, isBare: isBare === 'true' };
  } catch (error) {
    if (error instanceof GitError && error.exitCode === NO_REPOSITORY) throw new GitError(notRepository(path, error.message));
    throw error;
  }
}

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => unlessForbidden(error, path));
  if (found === null) throw new GitError(`"${path}" does not exist: give the folder of a git repository, or a clone address`);
  if (!found.isDirectory()) throw new GitError(`"${path}" is not a folder: give the folder of a git repository, or a clone address`);
  // If this user may not enter it, git cannot even start there.
  await stat(`${path}/.`).catch((error: unknown) => unlessForbidden(error, path));
  return realpath(path);
}

function unlessForbidden(error: unknown, path: string): null {
  if (errorCodeOf(error) !== 'EACCES') return null;
  throw new GitError(`"${path}" may not be read by this user: change the permissions of the folder, or of one above it`);
}

function notRepository(path: string, said: string): string {
  const reason = said.includes('not a git repository') ? '' : ` (${said})`;
  return `"${path}" is not a git repository${reason}: give the folder that holds .git, a bare repository, or a clone address`;
}
