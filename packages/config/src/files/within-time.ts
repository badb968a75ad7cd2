/** What `withinTime` rejects with when the time is over. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** The time is counted in so many parts. */
const PARTS = 10;

/**
 * The outcome of work that cannot be stopped. Rejects when it takes longer than `milliseconds`, or when the signal aborts; the work itself goes on.
 *
 * While the process is busy, work that has ended cannot say so. So the time is counted in parts, of which a pause of the whole process costs one at
 * most, and what ends in the same turn of the event loop as the last part is in time.
 */
export function withinTime<Result>(work: Promise<Result>, milliseconds: number, signal?: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timeout: NodeJS.Timeout;
    let lastTurn: NodeJS.Immediate | undefined;
    const end = (): void => {
      clearTimeout(timeout);
      clearImmediate(lastTurn);
      signal?.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const giveUp = (): void => {
      end();
      reject(new OutOfTimeError());
    };
    const count = (partsLeft: number): void => {
      if (partsLeft === 0) lastTurn = setImmediate(giveUp);
      else timeout = setTimeout(count, milliseconds / PARTS, partsLeft - 1);
    };
    count(PARTS);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    work.then(resolve, reject).finally(end);
  });
}
