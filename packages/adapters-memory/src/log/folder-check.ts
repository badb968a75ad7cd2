import { readdir } from 'node:fs/promises';
import { damaged, notAStore, unreadable } from './store-folder-error.js';

/** Files that LevelDB leaves when it is stopped while it makes a new store. */
const LEFT_BY_CREATION = /^(?:LOCK|LOG|LOG\.old|MANIFEST-0+1|0+1\.dbtmp)$/;
const DATA_FILE = /^(?:MANIFEST-\d+|\d+\.(?:ldb|sst|log)|vitrine\.(?:closed(?:\.new)?|holder))$/;

/**
 * Refuses a folder that LevelDB would take for a new one although it holds something. LevelDB knows a store by its file `CURRENT`: without it,
 * it would silently begin an empty store among the files that are there. A folder that does not exist is fine: it is made. Rejects with a `StoreFolderError`.
 */
export async function checkFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.includes('CURRENT')) return;
  const others = names.filter((name) => !LEFT_BY_CREATION.test(name));
  if (others.some((name) => DATA_FILE.test(name))) throw damaged(folder, 'its file CURRENT is missing');
  const [other] = others;
  if (other !== undefined) throw notAStore(folder, `it holds other files, such as ${other}`);
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
