import { errorCodeOf, requireRegularFile } from '@vitrine/config/internal';
import { type Instant, SECOND } from '@vitrine/core';
import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAccess } from '../../files/file-access.js';
import { PathError, readingFailed } from '../../files/path-error.js';
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

/** The file at a path, or the `*.ndjson` files of the folder at that path, sorted by name. Rejects with a `PathError` if it cannot be read. */
export async function filesOf(path: string, access: FileAccess, signal: AbortSignal): Promise<readonly RecordsFile[]> {
  const entries = await entriesOf(path, access, signal);
  if (entries === null) return [{ path, isOneOfMany: false, isLink: false }];
  const named = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.ndjson'));
  const files = named.map((entry) => ({ path: join(path, entry.name), isOneOfMany: true, isLink: entry.isSymbolicLink() }));
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Reads the metadata of a file without opening it, because the writer of a pipe would notice that. `null` if the file was removed after its folder was read. Rejects with a
 * `PathError` if it is not a regular file.
 */
export async function lookAt({ path, isOneOfMany, isLink }: RecordsFile, access: FileAccess, context: SourceContext): Promise<FileLook | null> {
  try {
    const stats = await access.run(path, context.signal, () => stat(path, { bigint: true }));
    requireRegularFile(stats);
    return { version: versionOf(stats, context.clock.now()), modifiedAt: Number(stats.mtimeNs / PER_MS) };
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT' && isOneOfMany;
    if (isMissing && !isLink) return null;
    throw isMissing ? new PathError(path, DANGLING) : readingFailed(path, error);
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
