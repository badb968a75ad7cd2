import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSqliteError, sqliteCodeOf } from '../database/sqlite-database.js';

export type StoreFolderProblem = 'damaged' | 'newer' | 'old-format' | 'in-use' | 'missing' | 'moved' | 'not-a-store' | 'unreadable' | 'unwritable';

/** The data folder cannot be used. The message names the folder, what is wrong and how to fix it. */
export class StoreFolderError extends Error {
  override readonly name = 'StoreFolderError';

  constructor(
    readonly problem: StoreFolderProblem,
    readonly folder: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the store is read but not written meanwhile. It reports that itself. */
  get preventsWriting(): boolean {
    return ['unwritable', 'moved', 'newer'].includes(this.problem);
  }
}

const MESSAGES: Readonly<Record<StoreFolderProblem, (folder: string, detail: string) => string>> = {
  damaged: (folder, detail) =>
    `The data folder ${folder} is damaged: ${detail}. Restore the folder from a backup, or move it away and start again. Then all sources are collected again.`,
  newer: (folder, detail) => `The data folder ${folder} was written by a newer version of Vitrine: ${detail}. Use that version, or another folder.`,
  'old-format': (folder) =>
    `The data folder ${folder} has the format of an older version of Vitrine. Run "vitrine export FILE" with the version before this one, and "vitrine import FILE" with this version and a new folder.`,
  'in-use': (folder) => `The data folder ${folder} is locked by another process. Wait until that process has ended, or use another folder.`,
  missing: (folder) =>
    `The data folder ${folder} does not exist or is empty, so it has no records. Check that store.path names the folder of the server, and that the right configuration file is used.`,
  moved: (folder) =>
    `The files in the data folder ${folder} were removed, moved or replaced while this process used them, so nothing more is written. Put them back, or restart the process to use what is there now.`,
  'not-a-store': (folder, detail) => `${folder} is not a data folder of Vitrine: ${detail}. Give the path of an empty or new folder.`,
  unreadable: (folder, detail) =>
    `The data folder ${folder} cannot be opened: ${detail}. Check that the folder may be read and written, and that its disk has free space.`,
  unwritable: (folder, detail) =>
    `The data folder ${folder} cannot be written: ${detail}. Free space on its disk and check that the folder may be written, then run the command again. A server continues by itself.`,
};

export function folderError(problem: StoreFolderProblem, folder: string, detail = '', cause?: unknown): StoreFolderError {
  return new StoreFolderError(problem, folder, MESSAGES[problem](folder, detail), cause === undefined ? undefined : { cause });
}

/** @param found the format of its file. This version knows formats up to `known` */
export function newer(folder: string, found: number, known: number): StoreFolderError {
  return folderError('newer', folder, `it has format ${String(found)}, this version knows formats up to ${String(known)}`);
}

export function unreadable(folder: string, cause: unknown): StoreFolderError {
  return folderError('unreadable', folder, cause instanceof Error ? cause.message : String(cause), cause);
}

/** A damaged file can also look like a wrong schema, a wrong type, or a contradiction between tables. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|ERROR|CONSTRAINT|MISMATCH|FORMAT)/;

/** What an error of SQLite means for the data folder; `null` for another error. */
export function folderProblemOf(error: unknown, file: string): StoreFolderError | null {
  const code = sqliteCodeOf(error);
  if (code === null || !isSqliteError(error)) return null;
  const folder = dirname(file);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return folderError('in-use', folder, '', error);
  if (DAMAGE.test(code)) return folderError('damaged', folder, error.message, error);
  if (/^SQLITE_(?:FULL|IOERR|READONLY)/.test(code)) return folderError('unwritable', folder, error.message, error);
  return code.startsWith('SQLITE_CANTOPEN') ? unreadable(folder, error) : null;
}

/** The same for an error of a write: a file that cannot be opened now can be read by the connections that are open. */
export function writeProblemOf(error: unknown, file: string): StoreFolderError | null {
  const problem = folderProblemOf(error, file);
  return problem?.problem === 'unreadable' ? folderError('unwritable', problem.folder, String(error), error) : problem;
}

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

export function requireInPlace(file: string, identity: FileIdentity): void {
  if (!isInPlace(file, identity)) throw folderError('moved', dirname(file));
}

/** The number of a file cannot be given again while a process has the file open. */
function idOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${String(found.dev)} ${String(found.ino)}`;
}
