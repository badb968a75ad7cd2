import { setMaxListeners } from 'node:events';
import { UnavailableError, type Clock, type Deadlines } from '@vitrine/core';

export class TimerDeadlines implements Deadlines {
  async run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const own = new AbortController();
    const timer = setTimeout(() => own.abort(new TimedOutError()), milliseconds);
    const follow = (): void => own.abort(reasonOf(signal));
    if (signal.aborted) follow();
    listenedByMany(signal);
    signal.addEventListener('abort', follow, { once: true });
    try {
      return await untilAborted(own.signal, () => call(own.signal));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', follow);
    }
  }
}

/** Settles like the call, or rejects when the signal aborts first, even if the call ignores the signal. */
export function untilAborted<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal));
    if (signal.aborted) {
      abort();
      return;
    }
    listenedByMany(signal);
    signal.addEventListener('abort', abort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** One request reads many parts at the same time. Node would warn of a leak from the eleventh listener on. */
function listenedByMany(signal: AbortSignal): void {
  setMaxListeners(Infinity, signal);
}

export function reasonOf(signal: AbortSignal): UnavailableError {
  return signal.reason instanceof UnavailableError ? signal.reason : new UnavailableError();
}

/** A source did not respond in time. It is not used when the client disconnected. */
export class TimedOutError extends UnavailableError {}

export const systemClock: Clock = { now: () => Date.now() };

export const monotonicClock: Clock = { now: () => performance.now() };
