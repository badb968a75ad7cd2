import { UnavailableError } from '@vitrine/core';

/** Ends reads with their signals, also those that do not listen themselves. */
export class AbortableReads {
  /** Most reads from memory end in the turn in which they begin, and to listen to a signal costs more than they do: only what is left then listens. */
  #young: (() => void)[] = [];

  /** What a call gives, unless the signal aborts first. @param ended hears once how it ended, `null` meaning well */
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

export function reasonOf(signal: AbortSignal): UnavailableError {
  return signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError();
}
