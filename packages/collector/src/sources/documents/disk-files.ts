import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf, readWholeFile, requireRegularFile } from '@vitrine/config/internal';
import { SECOND, type Instant } from '@vitrine/core';
import { markOf } from '../../fetching/decode-text.js';
import { FileAccess, readingFailed } from '../../files/file-access.js';
import type { SourceContext } from '../../running/source.js';
import type { ImageFile } from './file-state.js';
import type { FileLook, SourceFile } from './files-source.js';

/** Shared by all sources of the process, because hanging operations block the same threads. */
export const diskAccess = new FileAccess();

/** Runs an operation on a file or a folder. Rejects with a `PathError` if it fails or hangs, and with the signal's reason. */
export async function onDisk<Result>(path: string, signal: AbortSignal, operation: () => Promise<Result>): Promise<Result> {
  try {
    return await diskAccess.run(path, signal, operation);
  } catch (error) {
    throw readingFailed(path, error);
  }
}

export function entriesOf(folder: string, signal: AbortSignal): Promise<readonly Dirent[]> {
  return onDisk(folder, signal, () => readdir(folder, { withFileTypes: true }));
}

type Looking = Pick<SourceContext, 'clock' | 'signal'>;

/** Reads the metadata of a file without opening it, because the writer of a pipe would notice that. Rejects with a `PathError` if it is not a regular file. */
export async function lookAt(path: string, { clock, signal }: Looking): Promise<FileLook> {
  const found = async (): Promise<BigIntStats> => {
    const stats = await stat(path, { bigint: true });
    requireRegularFile(stats);
    return stats;
  };
  const stats = await onDisk(path, signal, found);
  return { version: versionOf(stats, clock.now()), modifiedAt: Number(stats.mtimeNs / PER_MS) };
}

/** Some file systems store times with a resolution of two seconds. So a file that changed more recently can change again without a new time. */
const COARSEST_TIME_MS = 2 * SECOND;
const PER_MS = 1_000_000n;

/** Programs can set the modification time, but not the time of change (`ctime`). */
function versionOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats, now: Instant): string {
  const isSettled = Math.abs(now - Number(ctimeNs / PER_MS)) > COARSEST_TIME_MS;
  return [size, mtimeNs, ctimeNs, ino, ...(isSettled ? [] : ['young'])].join(' ');
}

export async function requireFile(path: string, signal: AbortSignal): Promise<void> {
  await onDisk(path, signal, async () => {
    requireRegularFile(await stat(path));
  });
}

export interface DiskFile {
  readonly path: string;
  readonly name: string;
}

export function diskFile({ path, name }: DiskFile, maxBytes: number, parts: Pick<SourceFile, 'parse' | 'images'>): SourceFile {
  return {
    ...parts,
    name,
    look: async (context) => {
      try {
        return await lookAt(path, context);
      } catch (error) {
        if (errorCodeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
    read: ({ signal }) => readTextFile(path, maxBytes, signal),
  };
}

/** Also of a name that no file can have, and of a file that this user may not read. Then the text is shown without the image. */
const NO_IMAGE: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM', 'ERR_INVALID_ARG_VALUE']);

/** A file below a folder; `null` if there is none, or if the path leads over a link, which can be to something that is not meant to be published. */
export async function imageOnDisk(folder: string, name: string, { clock, signal }: Looking): Promise<ImageFile | null> {
  const path = join(folder, name);
  try {
    const [root, real] = await onDisk(path, signal, () => Promise.all([realpath(folder), realpath(path)]));
    const stats = await onDisk(path, signal, () => stat(path, { bigint: true }));
    if (real !== join(root, name) || !stats.isFile()) return null;
    return { version: versionOf(stats, clock.now()), bytes: Number(stats.size), read: () => readBytes(path, Number(stats.size), signal) };
  } catch (error) {
    if (NO_IMAGE.has(errorCodeOf(error))) return null;
    throw error;
  }
}

/** The text of a file. Rejects with a `PathError` if it cannot be read or is larger than `maxBytes`. */
export async function readTextFile(path: string, maxBytes: number, signal: AbortSignal): Promise<string> {
  return textIn(await readBytes(path, maxBytes, signal));
}

/** Without a byte order mark, and with line feeds only. A file without a mark is UTF-8. */
export function textIn(bytes: Uint8Array): string {
  return new TextDecoder(markOf(bytes) ?? 'utf-8').decode(bytes).replace(/\r\n?/g, '\n');
}

function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  return onDisk(path, signal, () => readWholeFile(path, maxBytes));
}
