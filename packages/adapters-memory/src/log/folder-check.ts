import { lstat, mkdir, mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { damaged, missing, notAStore, unreadable } from './store-folder-error.js';

/** Files that LevelDB leaves behind if it is interrupted while it creates a new store. */
const LEFT_BY_CREATION = /^(?:LOCK|LOG|LOG\.old|MANIFEST-0+1|0+1\.dbtmp)$/;
/** Only the owner may list, read and change the folder. */
const PRIVATE = 0o700;
const DATA_FILE = /^(?:MANIFEST-\d+|\d+\.(?:ldb|sst|log)|vitrine\.(?:closed(?:\.new)?|holder))$/;

/**
 * Rejects a folder that LevelDB would treat as new although it contains files. LevelDB recognises a store by its file `CURRENT`. Without that file,
 * it would silently create an empty store among the other files. A folder that does not exist is fine: it is created. Rejects with a `StoreFolderError`.
 */
async function checkFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.includes('CURRENT')) return;
  const others = names.filter((name) => !LEFT_BY_CREATION.test(name));
  if (others.some((name) => DATA_FILE.test(name))) throw damaged(folder, 'its file CURRENT is missing');
  const [other] = others;
  if (other !== undefined) throw notAStore(folder, `it holds other files, such as ${other}`);
}

/**
 * Rejects a folder that {@link checkFolder} rejects, and creates a folder that does not exist, with its parent folders. Only this user can read what
 * it creates, because a store also keeps the records of repositories that are not approved. A folder that exists keeps its permissions.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await checkFolder(folder);
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw unreadable(folder, String(error), error);
  }
}

/** Rejects a folder in which no store was created yet: it does not exist, or is empty. Rejects with a `StoreFolderError`, as {@link checkFolder} does. */
export async function requireStore(folder: string): Promise<void> {
  await checkFolder(folder);
  if (!(await namesIn(folder)).includes('CURRENT')) throw missing(folder);
}

/**
 * Does what {@link checkFolder} does, and also finds out whether this user can write into the folder, or create it: tries to create a folder there, and
 * removes it again.
 */
export async function checkWritableFolder(folder: string): Promise<void> {
  await checkFolder(folder);
  try {
    await rmdir(await mkdtemp(join(await existingPartOf(resolve(folder)), '.vitrine-check-')));
  } catch (error) {
    throw unreadable(folder, String(error), error);
  }
}

/** The folder, or the nearest folder above it that exists. */
async function existingPartOf(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch (error) {
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return existingPartOf(dirname(path));
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw hasCode(error, 'ENOTDIR') ? notAStore(folder, 'it is a file') : unreadable(folder, String(error), error);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
