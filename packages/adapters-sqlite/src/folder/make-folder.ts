import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the owner may list, read and change the folder. */
const PRIVATE_FOLDER = 0o700;

/**
 * Creates a folder with its parents, which only this user can use. What exists keeps its permissions. Throws the error of the operating system.
 *
 * One by one, because Node tries for ever to create parents in a file system that refuses new folders with ENOENT, such as /proc or an automounter.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (isFolder(folder)) return;
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isFolder(parent)) throw error;
    makeFolder(parent);
    makeFolder(folder);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
