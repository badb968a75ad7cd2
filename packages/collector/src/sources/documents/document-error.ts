import { quotable } from '@vitrine/core';
import { FileError } from '@vitrine/config/internal';
import { systemErrorCode } from '../../files/file-access.js';
import { shownPath } from '../records/records-files.js';

const LONGEST = 2_000;

/** Why a document that was read cannot be used. The set is closed. */
type DocumentReason = 'not a feed' | 'not a status page' | 'not a forge' | 'not complete' | 'too many items' | 'too many elements' | 'front matter';

/** A document that cannot be used. The message is one line without control characters, although it may quote the document. What was stored from it before stays. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  /** For sync records: `NOT_A_FEED`. */
  readonly code: string;

  constructor(
    readonly reason: DocumentReason,
    detail: string,
  ) {
    super(`${reason}: ${quotable(detail, LONGEST)}`);
    this.code = reason.toUpperCase().replace(/ /g, '_');
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it, or change the path in the configuration',
  ENOTDIR: 'is not a folder; name a folder in the configuration',
  EISDIR: 'is a folder; name a file in the configuration',
  EACCES: 'may not be read by this user; change its permissions',
};

/** A file or folder of a source cannot be read. The message says which one, why, and how to fix it. */
export class DocumentFileError extends Error {
  override readonly name = 'DocumentFileError';

  /** @param code for sync records: that of the operating system, or `UNREADABLE` */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The error to throw after reading failed: a clear message for an error of a file, or else the error itself, such as that of an aborted run. */
export function documentFileError(path: string, error: unknown): unknown {
  const shown = shownPath(path);
  if (error instanceof FileError) return new DocumentFileError(`${shown} ${error.problem}; ${error.remedy ?? 'name another one'}`, 'UNREADABLE');
  const code = systemErrorCode(error);
  return code === null ? error : new DocumentFileError(`${shown} ${REASONS[code] ?? `cannot be read (${code})`}`, code);
}
