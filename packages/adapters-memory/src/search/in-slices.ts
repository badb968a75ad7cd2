import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * For long work that must not hold the event loop: to be called after each step, and to be awaited when it gives a promise.
 *
 * @param sliceMs how long the work may hold the event loop at a time
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
