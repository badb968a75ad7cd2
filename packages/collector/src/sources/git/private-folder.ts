import { chmod, lstat, mkdtemp, readlink, rmdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';
import { makeFolder } from '../../files/write-whole.js';
import { GitError } from './git-process.js';

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const PRIVATE = 0o700;
const MODE = 0o777;
const ROOT = 0;
const MOST_LINKS = 40;

const REMEDY = 'set the key cache to a folder that only this user can change';

/**
 * Creates a folder that only this user can change, and returns its path without links. Git runs programs that the configuration of a clone names, so a clone of another user
 * could run code as this user. Each folder and link in the path must belong to this user or root. Others may write there only as members of a group of this process, or under
 * a sticky bit. Throws a {@link GitError} that names the unsafe part. @param dataFolder never created
 */
export async function privateFolder(path: string, dataFolder: string | null = null): Promise<string> {
  const wanted = resolve(path);
  await makeFolder(wanted, { mode: PRIVATE, dataFolder }).catch((error: unknown) => {
    throw unmade(wanted, error);
  });
  const { real } = await checkedPath(wanted);
  const found = await lstat(real);
  checkEnd(wanted, real, found);
  if (isWritableByOthers(found)) await chmod(real, found.mode & MODE & ~(GROUP_WRITES | OTHERS_WRITE));
  return real;
}

/** Throws the {@link GitError} that {@link privateFolder} would throw for the path. Tries to create a folder there, and removes it again. */
export async function checkPrivateFolder(path: string): Promise<void> {
  const wanted = resolve(path);
  const { real, isWhole } = await checkedPath(wanted);
  if (isWhole) checkEnd(wanted, real, await lstat(real));
  try {
    await rmdir(await mkdtemp(join(real, '.vitrine-check-')));
  } catch (error) {
    throw unmade(wanted, error);
  }
}

function checkEnd(wanted: string, real: string, found: Stats): void {
  if (!found.isDirectory()) throw unsafe(wanted, `"${real}" is not a folder`);
  // A folder that is shared on purpose, such as /tmp, keeps its permissions.
  const isShared = found.uid !== ownUid() || (found.mode & STICKY) !== 0;
  if (isWritableByOthers(found) && isShared) throw unsafe(wanted, `other users can write to "${real}"`);
}

/** Whether it is a folder (not a link) that only this user and root could have created and changed. */
export function isOwnFolder(found: Stats): boolean {
  return found.isDirectory() && isOwn(found) && !isWritableByOthers(found);
}

/** Checks each folder and link of a path, as far as it exists. `real`: that part without links. @param links how many links have led to the path */
async function checkedPath(wanted: string, path = wanted, links = 0): Promise<{ readonly real: string; readonly isWhole: boolean }> {
  if (links > MOST_LINKS) throw unsafe(wanted, 'it leads through too many links');
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).filter(Boolean);
  checkPart(wanted, root, await lstat(root));
  let real = root;
  for (const [index, name] of names.entries()) {
    const next = join(real, name);
    const found = await lstat(next).catch((error: unknown) => {
      if (errorCodeOf(error) === 'ENOENT') return null;
      throw unmade(wanted, error);
    });
    if (found === null) return { real, isWhole: false };
    checkPart(wanted, next, found);
    if (found.isSymbolicLink()) return checkedPath(wanted, resolve(real, await readlink(next), ...names.slice(index + 1)), links + 1);
    real = next;
  }
  return { real, isWhole: true };
}

function checkPart(wanted: string, path: string, found: Stats): void {
  if (!isOwn(found)) throw unsafe(wanted, `"${path}" belongs to another user`);
  if (found.isSymbolicLink() || (found.mode & STICKY) !== 0) return;
  const isOpenToGroup = (found.mode & GROUP_WRITES) !== 0 && !ownGroups().includes(found.gid);
  if ((found.mode & OTHERS_WRITE) !== 0 || isOpenToGroup) throw unsafe(wanted, `other users can write to "${path}"`);
}

function unmade(wanted: string, error: unknown): GitError {
  return new GitError(`the folder for clones, "${wanted}", cannot be made (${errorCodeOf(error) ?? 'unknown'}): ${REMEDY}`);
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
  // eslint-disable-next-line no-restricted-globals -- There is no other way: the user of a container often has no name.
  return process.geteuid?.();
}

function ownGroups(): readonly number[] {
  // eslint-disable-next-line no-restricted-globals -- As above.
  return [...(process.getgroups?.() ?? []), ...(process.getegid === undefined ? [] : [process.getegid()])];
}
