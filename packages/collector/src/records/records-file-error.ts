import { errorCodeOf, FileError } from '@vitrine/config/internal';
import { quotable } from '@vitrine/core';

/** A file or folder that somebody named cannot be read or written; the message says which, why, and what to do. */
export class RecordsFileError extends Error {
  override readonly name = 'RecordsFileError';
}

const NO_FILE = 'is a folder; name a file';
const FORBIDDEN = 'may not be used by this user; change its permissions, or name another one';

const TOO_MANY = 'cannot be opened, because too many files are open; raise the limit (ulimit -n)';
/** For what is wrong with a file whatever the system says. */
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

/** What to throw after reading failed: in words where the system refused, else the error itself. */
export function readingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, READING);
}

/** The same after writing failed. */
export function writingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, WRITING);
}

/** The longest path that Linux takes. */
const LONGEST_PATH = 4_096;

/** A path as a message may show it: whoever may write to a folder names its files, so their names may hold e-mail addresses and line breaks. */
export function shownPath(path: string): string {
  return quotable(path, LONGEST_PATH);
}

function inWords(path: string, error: unknown, reasons: Readonly<Record<string, string>>): unknown {
  if (error instanceof FileError) return new RecordsFileError(`${shownPath(path)} ${error.problem}; ${error.remedy ?? REPLACE}`);
  // Only the system's refusals have a system call; an aborted run has none, and neither has the store.
  const code = typeof error === 'object' && error !== null && 'syscall' in error ? errorCodeOf(error) : null;
  return code === null ? error : new RecordsFileError(`${shownPath(path)} ${reasons[code] ?? `cannot be used (${code}); name another one`}`);
}
