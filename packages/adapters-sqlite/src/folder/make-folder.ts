import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner may list, read and change the folder. */
const PRIVATE_FOLDER = 0o700;

/** Creates a folder and its parents, for this user only; what exists keeps its permissions. One by one, because Node tries for ever where ENOENT refuses new folders, as in /proc. */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // It was there, or another process or thread has just made it.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
