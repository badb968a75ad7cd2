import { chmod, lstat, mkdir, readlink } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { GitError } from './git-error.js';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const PRIVATE = 0o700;
const MODE = 0o777;
const ROOT = 0;
/** As many as Linux follows. */
const MOST_LINKS = 40;

const REMEDY = 'set the key cache to a folder that only this user can change';

/**
 * Makes a folder that only this user can change, with the folders above it, and gives its path without links. Whoever could put a clone of
 * their own there could run code as this user, since git runs what a clone's configuration names. So each folder and each link on the way
 * must belong to this user or root, and nobody else may write there, except members of a group of this process and where the sticky bit
 * protects what belongs to others. Throws a {@link GitError} that says which part is not safe.
 */
export async function privateFolder(path: string): Promise<string> {
  const wanted = resolve(path);
  try {
    await mkdir(wanted, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw new GitError(`the folder for clones, "${wanted}", cannot be made (${errorCodeOf(error) ?? 'unknown'}): ${REMEDY}`);
  }
  const real = await checkedPath(wanted);
  const found = await lstat(real);
  if (!found.isDirectory()) throw unsafe(wanted, `"${real}" is not a folder`);
  if (!isWritableByOthers(found)) return real;
  // A place that is shared on purpose, such as /tmp, stays as it is.
  if (found.uid !== ownUid() || (found.mode & STICKY) !== 0) throw unsafe(wanted, `other users can write to "${real}"`);
  await chmod(real, found.mode & MODE & ~(GROUP_WRITES | OTHERS_WRITE));
  return real;
}

/** Whether only this user and root could have made and changed the folder, and it is no link. */
export function isOwnFolder(found: Stats): boolean {
  return found.isDirectory() && isOwn(found) && !isWritableByOthers(found);
}

/** Follows the path part by part, so that links and what they lead to are checked too. */
async function checkedPath(wanted: string): Promise<string> {
  const { root } = parse(wanted);
  let real = root;
  let links = 0;
  const parts = partsOf(wanted, root);
  checkPart(wanted, real, await lstat(real));
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const next = join(real, part);
    const found = await lstat(next);
    checkPart(wanted, next, found);
    if (!found.isSymbolicLink()) {
      real = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw unsafe(wanted, 'it leads through too many links');
    const target = resolve(dirname(next), await readlink(next));
    parts.unshift(...partsOf(target, root));
    real = root;
  }
  return real;
}

function partsOf(path: string, root: string): string[] {
  return path
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '');
}

function checkPart(wanted: string, path: string, found: Stats): void {
  if (!isOwn(found)) throw unsafe(wanted, `"${path}" belongs to another user`);
  if (found.isSymbolicLink() || (found.mode & STICKY) !== 0) return;
  const isOpenToGroup = (found.mode & GROUP_WRITES) !== 0 && !ownGroups().includes(found.gid);
  if ((found.mode & OTHERS_WRITE) !== 0 || isOpenToGroup) throw unsafe(wanted, `other users can write to "${path}"`);
}

function unsafe(wanted: string, reason: string): GitError {
  return new GitError(`the folder for clones, "${wanted}", is not safe, because ${reason}: ${REMEDY}`);
}

function isOwn({ uid }: Stats): boolean {
  return uid === ownUid() || uid === ROOT;
}

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & (GROUP_WRITES | OTHERS_WRITE)) !== 0;
}

function ownUid(): number | undefined {
  // eslint-disable-next-line no-restricted-globals -- Nothing else tells it: the user of a container often has no name.
  return process.geteuid?.();
}

function ownGroups(): readonly number[] {
  // eslint-disable-next-line no-restricted-globals -- As above.
  return [...(process.getgroups?.() ?? []), ...(process.getegid === undefined ? [] : [process.getegid()])];
}
