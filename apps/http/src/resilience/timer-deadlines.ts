import { UnavailableError, type Deadlines } from '@vitrine/core';
import { TimedOutError } from './timed-out-error.js';

/** {@link Deadlines} that use the timers of Node. */
export class TimerDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new UnavailableError();
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
      const end = (reason: UnavailableError): void => {
        controller.abort(reason);
        reject(reason);
      };
      const follow = (): void => {
        end(signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError());
      };
      const timer = setTimeout(() => {
        end(new TimedOutError());
      }, milliseconds);
      signal.addEventListener('abort', follow, { once: true });
      call(controller.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', follow);
        });
    });
  }
}
