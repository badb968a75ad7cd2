import { FileError, OutOfTimeError, withinTime } from '@vitrine/config/internal';
import { SECOND } from '@vitrine/core';

export interface FileAccessOptions {
  /** How long one operation may take, in milliseconds. */
  readonly patienceMs?: number;
  /** How many operations run at a time. */
  readonly atOnce?: number;
}

/** Long enough for a busy disk. */
const PATIENCE_MS = 10 * SECOND;
/** Node runs the file operations of the whole process on four threads, where the store works too. One that hangs keeps its thread. */
const AT_ONCE = 2;
const REMEDY = 'check the disk or the network file system that holds it';

/**
 * Runs operations on files that may hang, as on a network file system whose server is gone. Such an operation cannot be stopped: it is given
 * up after a while, counts as running until it ends, and is not begun again for the same path before.
 */
export class FileAccess {
  readonly #patienceMs: number;
  readonly #atOnce: number;
  readonly #hanging = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();

  constructor({ patienceMs = PATIENCE_MS, atOnce = AT_ONCE }: FileAccessOptions = {}) {
    this.#patienceMs = patienceMs;
    this.#atOnce = atOnce;
  }

  /**
   * What the operation gives. Rejects with a {@link FileError} when it hangs, and when the signal aborts.
   * @param discard gets what an operation gave that had been given up
   */
  async run<Result>(path: string, signal: AbortSignal, operation: () => Promise<Result>, discard?: (late: Result) => void): Promise<Result> {
    if (this.#hanging.has(path)) throw new FileError('still does not answer', REMEDY);
    signal.throwIfAborted();
    while (this.#running.size >= this.#atOnce) await this.#nextEnd(signal);
    const work = operation();
    this.#running.add(work);
    const ended = (): void => {
      this.#running.delete(work);
      this.#wakeNext();
    };
    work.then(ended, ended);
    try {
      return await withinTime(work, this.#patienceMs, signal);
    } catch (error) {
      if (this.#running.has(work)) this.#giveUp(path, work, discard);
      throw error instanceof OutOfTimeError ? new FileError(`did not answer within ${String(this.#patienceMs / SECOND)} s`, REMEDY) : error;
    }
  }

  async #nextEnd(signal: AbortSignal): Promise<void> {
    let wake: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.push(wake);
    try {
      await withinTime(ended, this.#patienceMs, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(wake);
      // It was woken as it gave up: the next one goes in its place.
      if (place < 0) this.#wakeNext();
      else this.#waiting.splice(place, 1);
      throw error instanceof OutOfTimeError ? new FileError('was not read, because other files do not answer', REMEDY) : error;
    }
  }

  #wakeNext(): void {
    this.#waiting.shift()?.();
  }

  #giveUp<Result>(path: string, work: Promise<Result>, discard: (late: Result) => void = () => undefined): void {
    this.#hanging.add(path);
    void work
      .then(discard, () => undefined)
      .finally(() => {
        this.#hanging.delete(path);
      });
  }
}
