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
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    if (errorCodeOf(error) !== 'ENOENT' || (await isFolder(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(folder, mode);
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
