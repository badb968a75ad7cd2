import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { moved } from './store-folder-error.js';

/** Which files a path and the path of its log name now. */
export type FileIdentity = readonly [file: string | null, log: string | null];

/** Call this while a connection is open, because then the log exists. */
export function identityOf(file: string): FileIdentity {
  return [idOf(file), idOf(`${file}-wal`)];
}

/** Whether the paths still name the files of an open connection. If not, they were removed, moved away or replaced, and what is written is lost. */
export function isInPlace(file: string, [own, ownLog]: FileIdentity): boolean {
  try {
    return idOf(file) === own && (ownLog === null || idOf(`${file}-wal`) === ownLog);
  } catch {
    // What cannot be looked at has not moved.
    return true;
  }
}

/** Throws a `StoreFolderError` if the paths name other files now. */
export function requireInPlace(file: string, identity: FileIdentity): void {
  if (!isInPlace(file, identity)) throw moved(dirname(file));
}

/** The number of a file cannot be given again while a process has the file open. */
function idOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${String(found.dev)} ${String(found.ino)}`;
}
