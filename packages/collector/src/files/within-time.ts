/** What `withinTime` rejects with when the time is over. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** The outcome of work that cannot be stopped. Rejects when it takes longer than `milliseconds`, or when the signal aborts; the work itself goes on. */
export function withinTime<Result>(work: Promise<Result>, milliseconds: number, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const timeout = setTimeout(() => {
      end();
      reject(new OutOfTimeError());
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    work.then(resolve, reject).finally(end);
  });
}
