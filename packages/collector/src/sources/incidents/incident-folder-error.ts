import { FileError } from '@vitrine/config/internal';
import { systemErrorCode } from '../../files/file-access.js';
import { shownPath } from '../records/records-files.js';

/** The incidents folder, or a file in it, cannot be read or written. The message says which one, why, and how to fix it. */
export class IncidentFolderError extends Error {
  override readonly name = 'IncidentFolderError';

  /**
   * @param reason the problem and how to fix it; it follows the path
   * @param code the code of the operating system's error, such as `ENOENT`
   */
  constructor(
    path: string,
    readonly reason: string,
    readonly code: string | null = null,
  ) {
    super(`${shownPath(path)} ${reason}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it, or correct the path',
  ENOTDIR: 'is not a folder; name a folder of Markdown files',
  EISDIR: 'is a folder; name a file',
  EACCES: 'may not be used by this user; change its permissions',
  EROFS: 'cannot be written, because its file system is read-only',
  ENOSPC: 'cannot be written, because the disk is full; free space',
  EMFILE: 'cannot be opened, because too many files are open; raise the limit (ulimit -n)',
};

/** The error to throw after reading or writing failed: a clear message for an error of the operating system, or else the error itself. */
export function folderFailed(path: string, error: unknown): unknown {
  if (error instanceof FileError) return new IncidentFolderError(path, `${error.problem}; ${error.remedy ?? 'write a Markdown file there'}`);
  const code = systemErrorCode(error);
  return code === null ? error : new IncidentFolderError(path, REASONS[code] ?? `cannot be used (${code})`, code);
}
