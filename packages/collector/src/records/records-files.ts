import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf, requireRegularFile } from '@vitrine/config/internal';
import { SECOND, type Instant } from '@vitrine/core';
import type { FileAccess } from '../files/file-access.js';
import type { SourceContext } from '../source.js';
import { readingFailed, RecordsFileError, shownPath } from './records-file-error.js';

/** A file that a records source takes. */
export interface RecordsFile {
  readonly path: string;
  /** Whether it was found in a folder, where one bad file must not stop the others. */
  readonly isOneOfMany: boolean;
  readonly isLink: boolean;
}

/** What a file looks like from outside. */
export interface FileLook {
  /** Another one whenever the content may be another one. */
  readonly version: string;
  readonly modifiedAt: Instant;
}

/** File systems write times with a resolution of up to two seconds, so a change that is as young as that may be followed by one that looks the same. */
const COARSEST_TIME_MS = 2 * SECOND;
const PER_MS = 1_000_000n;

/** The file of a path, or the `*.ndjson` files of its folder in the order of their names. Rejects with a `RecordsFileError` when it cannot be read. */
export async function filesOf(path: string, access: FileAccess, signal: AbortSignal): Promise<readonly RecordsFile[]> {
  const entries = await entriesOf(path, access, signal);
  if (entries === null) return [{ path, isOneOfMany: false, isLink: false }];
  const named = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.ndjson'));
  const files = named.map((entry) => ({ path: join(path, entry.name), isOneOfMany: true, isLink: entry.isSymbolicLink() }));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Looks at a file without opening it, for a pipe's writer would notice. `null`: it has gone since its folder was read. Rejects with a
 * `RecordsFileError` for anything but a regular file.
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

/** `null`: a file. */
async function entriesOf(path: string, access: FileAccess, signal: AbortSignal): Promise<readonly Dirent[] | null> {
  try {
    const isFolder = await access.run(path, signal, async () => (await stat(path)).isDirectory());
    return isFolder ? await access.run(path, signal, () => readdir(path, { withFileTypes: true })) : null;
  } catch (error) {
    throw readingFailed(path, error);
  }
}

/** A time of modification can be set by anybody, the time of change (`ctime`) cannot. */
function versionOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats, now: Instant): string {
  const isSettled = Math.abs(now - Number(ctimeNs / PER_MS)) > COARSEST_TIME_MS;
  return [size, mtimeNs, ctimeNs, ino, ...(isSettled ? [] : ['young'])].join(' ');
}
