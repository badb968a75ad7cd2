import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner may list, read and change the folder. */
const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder and its parents, for this user only. What exists keeps its permissions. One by one, because Node tries for ever to create parents where ENOENT
 * refuses new folders, such as in /proc.
 */
export function makeFolder(folder: string): void {
  if (isMade(folder)) return;
  const parent = dirname(folder);
  if (!isFolder(parent)) makeFolder(parent);
  // Where the parent exists, another process or thread may have just made it.
  if (!isMade(folder)) mkdirSync(folder, { mode: PRIVATE_FOLDER });
}

/** Whether the folder exists now; `false` if a parent was missing. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return true;
  } catch (error) {
    if (isFolder(folder)) return true;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
