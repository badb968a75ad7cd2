import { UnavailableError, type Deadlines } from '@vitrine/core';

/** {@link Deadlines} by timers of the platform. */
export class TimerDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new UnavailableError();
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        const reason = new UnavailableError();
        controller.abort(reason);
        reject(reason);
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end, { once: true });
      call(controller.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
        });
    });
  }
}
