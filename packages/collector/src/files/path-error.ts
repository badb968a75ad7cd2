import { FileError } from '@vitrine/config/internal';
import { quotable } from '@vitrine/core';
import { SourceError } from '../running/source-error.js';
import { systemErrorCode } from './file-access.js';

/** The maximum length of a path on Linux. */
const LONGEST_PATH = 4_096;

/** A path in the form that a message may show. Anybody who can write to a folder chooses the names of its files, so they may contain e-mail addresses and line breaks. */
export function shownPath(path: string): string {
  return quotable(path, LONGEST_PATH);
}

/** A file or folder that the user named cannot be used. The message names it, and says why, and how to fix it. */
export class PathError extends SourceError {
  /**
   * @param reason what is wrong and how to fix it; it follows the path
   * @param code that of the operating system, such as `ENOENT`
   */
  constructor(
    path: string,
    readonly reason: string,
    code = 'UNREADABLE',
  ) {
    super(`${shownPath(path)} ${reason}`, code);
  }
}

const TOO_MANY = 'cannot be opened, because too many files are open; raise the limit (ulimit -n)';

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it, or correct the path',
  ENOTDIR: 'is not a folder, or is below a file; correct the path',
  EISDIR: 'is a folder; name a file',
  EACCES: 'may not be used by this user; change its permissions',
  ELOOP: 'is a link that leads back to itself; remove the link, or name another file',
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
};

const NO_FOLDER = 'cannot be written, because its folder does not exist; create the folder, or name another file';

const WRITING: Readonly<Record<string, string>> = {
  ...READING,
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EROFS: 'cannot be written, because its file system is read-only; name another place',
  ENOSPC: 'cannot be written, because the disk is full; free space',
};

/** The error to throw after reading failed: a {@link PathError} for an error of a file or of the operating system, or else the error itself. */
export function readingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, READING);
}

/** The same after writing failed. */
export function writingFailed(path: string, error: unknown): unknown {
  return inWords(path, error, WRITING);
}

function inWords(path: string, error: unknown, reasons: Readonly<Record<string, string>>): unknown {
  if (error instanceof FileError) return new PathError(path, `${error.problem}; ${error.remedy ?? 'name another one'}`);
  const code = systemErrorCode(error);
  return code === null ? error : new PathError(path, reasons[code] ?? `cannot be used (${code}); name another one`, code);
}
