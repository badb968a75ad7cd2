import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * For long work that must not block the event loop. Call it after each step, and await the result if it is a promise.
 *
 * @param sliceMs how long the work may block the event loop at a time
 */
export function inSlices(sliceMs: number, signal: AbortSignal): () => Promise<void> | null {
  let sliceEnd = performance.now() + sliceMs;
  const pause = async (): Promise<void> => {
    await nextTurn();
    signal.throwIfAborted();
    sliceEnd = performance.now() + sliceMs;
  };
  return () => (performance.now() < sliceEnd ? null : pause());
}
