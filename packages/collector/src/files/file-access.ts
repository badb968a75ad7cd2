import { errorCodeOf, FileError, OutOfTimeError, withinTime, openRegularFile } from '@vitrine/config/internal';
import { SECOND } from '@vitrine/core';
import type { FileHandle } from 'node:fs/promises';
import { Slots } from '../running/slots.js';

/** The code of an error of the operating system, such as `ENOENT`; `null` for other errors. Only errors of the operating system have the field `syscall`: an aborted run and the store's errors do not. */
export function systemErrorCode(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'syscall' in error ? errorCodeOf(error) : null;
}

interface FileAccessOptions {
  /** How long one operation may take, in milliseconds. */
  readonly patienceMs?: number;
  /** The maximum number of concurrent operations. */
  readonly atOnce?: number;
}

/** Long enough for a busy disk. */
const PATIENCE_MS = 10 * SECOND;
/** Node runs all file operations of the process, including those of the store, on four threads. A hanging operation blocks one of them. */
const AT_ONCE = 2;
const REMEDY = 'check the disk or the network file system that holds it';

/**
 * Runs file operations that may hang, for example on a network file system whose server is down. Such an operation cannot be stopped. After a time-out its result is
 * no longer awaited. It counts as running until it ends, and until then no new operation on the same path starts.
 */
export class FileAccess {
  readonly #patienceMs: number;
  readonly #slots: Slots;
  readonly #hanging = new Set<string>();

  constructor({ patienceMs = PATIENCE_MS, atOnce = AT_ONCE }: FileAccessOptions = {}) {
    [this.#patienceMs, this.#slots] = [patienceMs, new Slots(atOnce)];
  }

  /**
   * The result of the operation. Rejects with a {@link FileError} if it hangs, and if the signal aborts.
   * @param discard receives the result of an operation that ended after its time-out
   */
  async run<Result>(path: string, signal: AbortSignal, operation: () => Promise<Result>, discard?: (late: Result) => void): Promise<Result> {
    if (this.#hanging.has(path)) throw new FileError('still does not answer', REMEDY);
    signal.throwIfAborted();
    const place = this.#slots.take();
    const release = await this.#inTime(place, signal, 'was not read, because reads of other files hang', () => {
      void place.then((giveBack) => {
        giveBack();
      });
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

  /** @param giveUp called if the work fails, or if this no longer waits for it */
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

/** Closes a file and ignores errors, because nothing was written. */
function closed(handle: FileHandle): Promise<void> {
  return handle.close().catch(() => undefined);
}
