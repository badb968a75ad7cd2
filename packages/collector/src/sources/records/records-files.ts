import { errorCodeOf, FileError, requireRegularFile } from '@vitrine/config/internal';
import { type Instant, quotable, SECOND } from '@vitrine/core';
import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileAccess, systemErrorCode } from '../../files/file-access.js';
import type { SourceContext } from '../../running/source.js';

/** A file of a records source. */
export interface RecordsFile {
  readonly path: string;
  /** Whether it is part of a folder, in which an unreadable file must not stop the others. */
  readonly isOneOfMany: boolean;
  readonly isLink: boolean;
}

/** The metadata of a file. */
export interface FileLook {
  /** Changes whenever the content may have changed. */
  readonly version: string;
  readonly modifiedAt: Instant;
}

/** Some file systems store times with a resolution of two seconds. So a file that changed more recently can change again without a new time. */
const COARSEST_TIME_MS = 2 * SECOND;
const PER_MS = 1_000_000n;

/** The file at a path, or the `*.ndjson` files of the folder at that path, sorted by name. Rejects with a `RecordsFileError` if it cannot be read. */
export async function filesOf(path: string, access: FileAccess, signal: AbortSignal): Promise<readonly RecordsFile[]> {
  const entries = await entriesOf(path, access, signal);
  if (entries === null) return [{ path, isOneOfMany: false, isLink: false }];
  const named = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.ndjson'));
  const files = named.map((entry) => ({ path: join(path, entry.name), isOneOfMany: true, isLink: entry.isSymbolicLink() }));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads the metadata of a file without opening it, because the writer of a pipe would notice that. `null` if the file was removed after its folder was read. Rejects with a
 * `RecordsFileError` if it is not a regular file.
 */
export async function lookAt({ path, isOneOfMany, isLink }: RecordsFile, access: FileAccess, context: SourceContext): Promise<FileLook | null> {
  try {
    const stats = await access.run(path, context.signal, () => stat(path, { bigint: true }));
    requireRegularFile(stats);
    return { version: versionOf(stats, context.clock.now()), modifiedAt: Number(stats.mtimeNs / PER_MS) };
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT' && isOneOfMany;
    if (isMissing && !isLink) return null;
    throw isMissing ? new RecordsFileError(`${shownPath(path)} ${DANGLING}`) : readingFailed(path, error);
  }
}

const DANGLING = 'is a link to a file that does not exist; remove the link, or write that file';

/** `null` if the path is a file. */
async function entriesOf(path: string, access: FileAccess, signal: AbortSignal): Promise<readonly Dirent[] | null> {
  try {
    const isFolder = await access.run(path, signal, async () => (await stat(path)).isDirectory());
    return isFolder ? await access.run(path, signal, () => readdir(path, { withFileTypes: true })) : null;
  } catch (error) {
    throw readingFailed(path, error);
  }
}

/** A text that changes whenever the content of a file may have changed. Programs can set the modification time, but not the time of change (`ctime`). */
export function versionOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats, now: Instant): string {
  const isSettled = Math.abs(now - Number(ctimeNs / PER_MS)) > COARSEST_TIME_MS;
  return [size, mtimeNs, ctimeNs, ino, ...(isSettled ? [] : ['young'])].join(' ');
}

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
