import { UnavailableError } from '../../kinds/domain-error.js';
import type { Deadlines } from '../../ports/runtime.js';

/** {@link Deadlines} over `AbortSignal.timeout`, which every platform has: no timer is left behind that keeps a process alive. */
export class SignalDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (signal.aborted) throw new UnavailableError();
    const own = new AbortController();
    // Listened to one by one: a signal that AbortSignal.any() makes does not keep its time-out alive on every version of Node.
    const ends = [signal, AbortSignal.timeout(milliseconds)];
    return new Promise((resolve, reject) => {
      const end = (): void => {
        const reason = new UnavailableError();
        own.abort(reason);
        reject(reason);
      };
      for (const source of ends) source.addEventListener('abort', end, { once: true });
      call(own.signal)
        .then(resolve, reject)
        .finally(() => {
          for (const source of ends) source.removeEventListener('abort', end);
        });
    });
  }
}
