import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** The operating system's code of an error, such as `ENOENT`; `null` if it has none. */
export function errorCodeOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** A file cannot be used for a reason that is not an error of the operating system. */
export class FileError extends Error {
  override readonly name = 'FileError';

  /** @param problem follows the path of the file in messages; @param remedy how to fix it, if that is always the same */
  constructor(
    readonly problem: string,
    readonly remedy: string | null = null,
  ) {
    super(problem);
  }
}

/** `withinTime` rejects with this error when the time is over. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** The time is divided into this many parts. */
const PARTS = 10;

/**
 * The outcome of work that cannot be stopped. Rejects if it takes longer than `milliseconds`, or if the signal aborts. The work itself continues.
 *
 * While the process is blocked, completed work cannot be noticed. So the time is counted in parts: a pause of the process counts as at most one part.
 * Work that ends in the same turn of the event loop as the last part is in time.
 */
export function withinTime<Result>(work: Promise<Result>, milliseconds: number, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timeout: NodeJS.Timeout;
    let lastTurn: NodeJS.Immediate | undefined;
    const end = (): void => {
      clearTimeout(timeout);
      clearImmediate(lastTurn);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const giveUp = (): void => {
      end();
      reject(new OutOfTimeError());
    };
    const count = (partsLeft: number): void => {
      if (partsLeft === 0) lastTurn = setImmediate(giveUp);
      else timeout = setTimeout(count, milliseconds / PARTS, partsLeft - 1);
    };
    count(PARTS);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    work.then(resolve, reject).finally(end);
  });
}

/** Without O_NONBLOCK, opening a pipe would wait for a writer. On Windows both flags are undefined, which counts as 0 here. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a file for reading. Never waits for a writer. Rejects with a {@link FileError} if it is not a regular file. The check uses the
 * opened file, so that a file that is replaced in the meantime cannot pass it.
 */
export async function openRegularFile(path: string): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    // The path is a socket, which cannot be opened.
    throw errorCodeOf(error) === 'ENXIO' ? new FileError('is a socket', REMEDY) : error;
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

/** Throws a {@link FileError} if it is not a regular file. */
export function requireRegularFile(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FileError('is a folder', 'name a file');
  if (stats.isFIFO()) throw new FileError('is a pipe', REMEDY);
  throw new FileError(stats.isSocket() ? 'is a socket' : 'is a device', REMEDY);
}

const MEGABYTE = 1_024 * 1_024;

/** The content of a regular file. Rejects with a {@link FileError} if it is not a regular file, or has more than `maxBytes`. */
export async function readWholeFile(path: string, maxBytes: number): Promise<Buffer> {
  const { handle } = await openRegularFile(path);
  // One byte more shows that the file is larger. Its size does not: it can grow meanwhile, and some system files have the size 0 although they have content.
  const content = await buffer(handle.createReadStream({ end: maxBytes }));
  if (content.length > maxBytes) throw new FileError(`is larger than ${String(maxBytes / MEGABYTE)} MB`);
  return content;
}
