import { FileError } from '@vitrine/config/internal';
import { quotable } from '@vitrine/core';
import { systemErrorCode } from '../../files/file-access.js';

/** A file or folder that the user named cannot be read or written. The message says which one, why, and how to fix it. */
export class RecordsFileError extends Error {
  override readonly name = 'RecordsFileError';
}

const NO_FILE = 'is a folder; name a file';
const FORBIDDEN = 'may not be used by this user; change its permissions, or name another one';

const TOO_MANY = 'cannot be opened, because too many files are open; raise the limit (ulimit -n)';
/** The advice for files that can never be read as records files. */
const REPLACE = 'put a records file there, or name another one';

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; write a records file there, or name another one',
  ENOTDIR: 'does not exist; write a records file there, or name another one',
  EISDIR: NO_FILE,
  EACCES: FORBIDDEN,
  ELOOP: 'is a link that leads back to itself; remove the link, or name another file',
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
};

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: 'cannot be written, because its folder does not exist; make the folder, or name another file',
  ENOTDIR: 'cannot be written, because its folder does not exist; make the folder, or name another file',
  EISDIR: NO_FILE,
  EACCES: FORBIDDEN,
  ENOSPC: 'cannot be written, because the disk is full; make room, or name a file elsewhere',
};

/** The error to throw after reading failed: a clear message for an error of the operating system, or else the error itself. */
export function readingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, READING);
}

/** The same after writing failed. */
export function writingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, WRITING);
}

/** The maximum length of a path on Linux. */
const LONGEST_PATH = 4_096;

/** A path in the form that a message may show. Anybody who can write to a folder chooses the names of its files, so they may contain e-mail addresses and line breaks. */
export function shownPath(path: string): string {
  return quotable(path, LONGEST_PATH);
}

function inWords(path: string, error: unknown, reasons: Readonly<Record<string, string>>): unknown {
  if (error instanceof FileError) return new RecordsFileError(`${shownPath(path)} ${error.problem}; ${error.remedy ?? REPLACE}`);
  const code = systemErrorCode(error);
  return code === null ? error : new RecordsFileError(`${shownPath(path)} ${reasons[code] ?? `cannot be used (${code}); name another one`}`);
}
