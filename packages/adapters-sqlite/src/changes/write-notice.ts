import { UnavailableError } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { isSqliteError } from '../database/sqlite-error.js';

/** How often the file is asked whether another process has written. It costs 0.02 ms. */
const ASKED_EVERY_MS = 50;

/** Wakes who waits for a write: at once when this process has written, and within 50 ms when another one has. */
export class WriteNotice {
  readonly #database: SqliteDatabase;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #version = 0;
  #isClosed = false;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  assertOpen(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  wake(): void {
    for (const resolve of [...this.#waiting]) resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** Resolves after the next write, when the time is over, when the caller aborts, or when the store is closed. */
  next(waitMs: number, signal: AbortSignal): Promise<void> {
    this.#ask();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs).unref();
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
      if (this.#isClosed || signal.aborted) wake();
    });
  }

  /** Asks as long as somebody waits. */
  #ask(): void {
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => {
      if (this.#waiting.size === 0) this.#stop();
      else if (this.#hasNew()) this.wake();
    }, ASKED_EVERY_MS).unref();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Who waits reads the file then, and reports an error. */
  #hasNew(): boolean {
    try {
      // Changes with each commit of another connection, also of this process.
      const version = this.#database.number('pragma data_version');
      const isNew = version !== this.#version;
      this.#version = version;
      return isNew;
    } catch (error) {
      if (!isSqliteError(error) && !(error instanceof UnavailableError)) throw error;
      return true;
    }
  }
}
