import { errorCodeOf, FileError, OutOfTimeError, withinTime, openRegularFile } from '@vitrine/config/internal';
import { SECOND, quotable } from '@vitrine/core';
import type { FileHandle } from 'node:fs/promises';
import { Slots } from '../running/slots.js';
import { SourceError } from '../running/source.js';

const PATIENCE_MS = 10 * SECOND;
/** Node runs all file operations of the process, including those of the store, on four threads. A hanging operation blocks one of them. */
const AT_ONCE = 2;
const REMEDY = 'check the disk or the network file system that holds it';

/** Runs file operations that may hang, such as on a network file system. Nothing can stop one, so until it ends, no other one on its path starts. */
export class FileAccess {
  readonly #patienceMs: number;
  readonly #slots: Slots;
  readonly #hanging = new Set<string>();

  constructor({ patienceMs = PATIENCE_MS, atOnce = AT_ONCE } = {}) {
    [this.#patienceMs, this.#slots] = [patienceMs, new Slots(atOnce)];
  }

  /** Rejects with a {@link FileError} if the operation hangs, and if the signal aborts. @param discard receives a result that comes too late */
  async run<Result>(path: string, signal: AbortSignal, operation: () => Promise<Result>, discard?: (late: Result) => void): Promise<Result> {
    if (this.#hanging.has(path)) throw new FileError('still does not answer', REMEDY);
    signal.throwIfAborted();
    const place = this.#slots.take();
    const release = await this.#inTime(place, signal, 'was not read, because reads of other files hang', () => {
      void place.then((giveBack) => giveBack());
    });
    const state = { isRunning: true };
    const work = operation().finally(() => {
      state.isRunning = false;
      release();
    });
    return this.#inTime(work, signal, `did not answer within ${String(this.#patienceMs / SECOND)} s`, () => {
      if (state.isRunning) this.#hanging.add(path);
      work
        .then(discard)
        .catch(() => undefined)
        .finally(() => this.#hanging.delete(path));
    });
  }

  async #inTime<Result>(work: Promise<Result>, signal: AbortSignal, problem: string, giveUp: () => void): Promise<Result> {
    try {
      return await withinTime(work, this.#patienceMs, signal);
    } catch (error) {
      giveUp();
      throw error instanceof OutOfTimeError ? new FileError(problem, REMEDY) : error;
    }
  }
}

/** The records of a chunk are read without a pause, so a larger one blocks the process for longer. */
const CHUNK_BYTES = 64 * 1_024;

/** The bytes of a regular file. Rejects with a `FileError` if it is not a regular file or hangs, and if the signal aborts. */
export async function* fileChunks(path: string, access: FileAccess, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { handle } = await access.run(
    path,
    signal,
    () => openRegularFile(path),
    (late) => void closed(late.handle),
  );
  const state = { isReading: false };
  const read = async (): Promise<Uint8Array> => {
    state.isReading = true;
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafeSlow(CHUNK_BYTES) });
    state.isReading = false;
    return buffer.subarray(0, bytesRead);
  };
  try {
    for (;;) {
      const chunk = await access.run(path, signal, read);
      if (chunk.length === 0) return;
      yield chunk;
    }
  } finally {
    const closing = closed(handle);
    // A hanging read keeps the file open, so the close is not awaited.
    if (!state.isReading) await closing;
  }
}

function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => undefined);
}

/** The maximum length of a path on Linux. */
const LONGEST_PATH = 4_096;

/** A path in the form that a message may show. Anybody who can write to a folder chooses the names of its files, so they may contain e-mail addresses and line breaks. */
export function shownPath(path: string): string {
  return quotable(path, LONGEST_PATH);
}

/** A file or folder that the user named cannot be used. The message names it, and says why, and how to fix it. */
export class PathError extends SourceError {
  /** @param reason what is wrong and how to fix it; it follows the path @param code that of the operating system, such as `ENOENT` */
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

const NO_FOLDER = 'cannot be written, because its folder does not exist or takes no new files; create the folder, or name another file';

const WRITING: Readonly<Record<string, string>> = {
  ...READING,
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EROFS: 'cannot be written, because its file system is read-only; name another place',
  ENOSPC: 'cannot be written, because the disk is full; free space',
  EDQUOT: 'cannot be written, because the disk quota of this user is used up; free space',
  EFBIG: 'cannot be written, because files may not become so large; raise the limit (ulimit -f)',
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
  if (error instanceof FileError) return new PathError(path, `${error.problem}; ${error.remedy ?? 'split it'}`);
  // Only errors of the operating system have the field `syscall`: an aborted run and the store's errors do not.
  const code = typeof error === 'object' && error !== null && 'syscall' in error ? errorCodeOf(error) : null;
  return code === null ? error : new PathError(path, reasons[code] ?? `cannot be used (${code}); name another one`, code);
}
