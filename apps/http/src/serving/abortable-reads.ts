import { UnavailableError } from '@vitrine/core';

/** Rejects reads when their signals abort, even if the store ignores the signal. */
export class AbortableReads {
  /**
   * Reads that started in this turn of the event loop. Most reads from memory also end in it, and adding a listener to a signal takes longer than such a
   * read. So only reads that are still running in the next turn add one.
   */
  #young: (() => void)[] = [];

  /**
   * Settles like the call, or rejects when the signal aborts first.
   *
   * @param ended called once, with the error, or with `null` if the call succeeded
   */
  run(signal: AbortSignal, call: () => Promise<unknown>, ended: (error: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      let isListening = false;
      const isEnd = (error: unknown): boolean => {
        if (isOver) return false;
        isOver = true;
        if (isListening) signal.removeEventListener('abort', abort);
        ended(error);
        return true;
      };
      const fail = (error: Error): void => {
        if (isEnd(error)) reject(error);
      };
      const abort = (): void => {
        fail(reasonOf(signal));
      };
      call().then((result) => {
        if (isEnd(null)) resolve(result);
      }, fail);
      this.#nextTurn(() => {
        if (isOver) return;
        if (signal.aborted) {
          abort();
          return;
        }
        isListening = true;
        signal.addEventListener('abort', abort);
      });
    });
  }

  #nextTurn(listen: () => void): void {
    this.#young.push(listen);
    if (this.#young.length > 1) return;
    setImmediate(() => {
      const young = this.#young;
      this.#young = [];
      for (const each of young) each();
    });
  }
}

/** Why a read ended early. */
export function reasonOf(signal: AbortSignal): UnavailableError {
  return signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError();
}
