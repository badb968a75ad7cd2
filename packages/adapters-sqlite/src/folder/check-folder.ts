import { lstat, mkdir, mkdtemp, readdir, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isUnfinished } from './create-finished.js';
import { damaged, missing, notAStore, oldFormat, unreadable } from './store-folder-error.js';

/** The file of the store in its folder. */
const FILE_NAME = 'vitrine.db';
/** Only the owner may list, read and change the folder. */
const PRIVATE_FOLDER = 0o700;
/** Files of the format before SQLite. */
const OLD_FILE = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:ldb|sst|log)|vitrine\.closed)$/;
/** What the collector keeps in a data folder: it is no reason to refuse one whose store was moved away. */
const BESIDE_STORE = /^(?:clones|source-runs-[\da-f]+\.json.*)$/;

/** Rejects a folder with other files than those of a store. A folder that does not exist is fine: it is created. Rejects with a `StoreFolderError`. */
async function checkFolder(folder: string): Promise<readonly string[]> {
  const names = (await namesIn(folder)).filter((name) => !isUnfinished(name, FILE_NAME));
  if (names.includes(FILE_NAME)) return requireContent(folder, names);
  if (names.some((name) => OLD_FILE.test(name))) throw oldFormat(folder);
  const other = names.find((name) => !BESIDE_STORE.test(name));
  if (other?.startsWith(FILE_NAME) === true) throw damaged(folder, `its file ${FILE_NAME} is missing`);
  if (other !== undefined) throw notAStore(folder, `it holds other files, such as ${other}`);
  return names;
}

/** SQLite takes a file without content for a new database, and removes its log. */
async function requireContent(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const { size } = await stat(join(folder, FILE_NAME)).catch((error: unknown) => {
    throw unreadable(folder, String(error), error);
  });
  if (size === 0) throw damaged(folder, `its file ${FILE_NAME} is empty, which Vitrine never leaves behind`);
  return names;
}

/**
 * Checks the folder, and creates it with its parent folders if it does not exist. Only this user can read what it creates, because a store also keeps the records of
 * repositories that are not approved. What exists keeps its permissions. Resolves with the path of the file, which may not exist yet.
 */
export async function prepareFolder(folder: string): Promise<string> {
  await checkFolder(folder);
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    throw unreadable(folder, String(error), error);
  }
  return join(folder, FILE_NAME);
}

/** Rejects a folder in which no store was created yet: it does not exist, or is empty. Resolves with the path of the file. Rejects with a `StoreFolderError`. */
export async function requireStore(folder: string): Promise<string> {
  if (!(await checkFolder(folder)).includes(FILE_NAME)) throw missing(folder);
  return join(folder, FILE_NAME);
}

/** Checks the folder, and finds out whether this user can write into it, or create it: tries to create a folder there, and removes it again. */
export async function checkStoreFolder(folder: string): Promise<void> {
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
