import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { FileError } from './file-error.js';

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Without O_NONBLOCK, opening a pipe waits until somebody writes to it. On Windows both flags are undefined, which counts as 0 here. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a file to read it. Never waits for a writer. Rejects with a {@link FileError} for anything but a regular file, which is
 * judged by what was opened, so that a file that is replaced meanwhile cannot get past the check.
 */
export async function openRegularFile(path: string): Promise<OpenedFile> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    throw isSocket(error) ? new FileError('is a socket', REMEDY) : error;
  });
  try {
    const stats = await handle.stat();
    requireRegularFile(stats);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const REMEDY = 'put a regular file there, or name another one';

/** Throws a {@link FileError} for anything but a regular file. */
export function requireRegularFile(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileError('is a folder', 'name a file');
  if (stats.isFIFO()) throw new FileError('is a pipe', REMEDY);
  throw new FileError(stats.isSocket() ? 'is a socket' : 'is a device', REMEDY);
}

/** Sockets of the file system cannot be opened at all. */
function isSocket(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENXIO';
}
