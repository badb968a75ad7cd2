import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf } from '@vitrine/config/internal';

/**
 * Creates a folder with its parents. What exists keeps its permissions. Rejects with the error of the operating system.
 *
 * One by one, because Node tries for ever to create parents in a file system that refuses new folders with ENOENT, such as /proc or an automounter.
 *
 * @param mode of each new folder, less what the process does not allow
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  if (await isMade(folder, mode)) return;
  const parent = dirname(folder);
  if (!(await isFolder(parent))) await makeFolder(parent, mode);
  // Where the parent exists, another process or call may have just made it.
  if (!(await isMade(folder, mode))) await mkdir(folder, { mode });
}

/** Whether the folder exists now; `false` if a parent was missing. */
async function isMade(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (error) {
    if (await isFolder(folder)) return true;
    if (errorCodeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
