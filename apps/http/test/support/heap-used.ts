import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes, after everything that nobody holds has gone; with what is held outside of the heap. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // The buffers that one collection finds unused are given back at the latest when the next one begins.
  for (let times = 0; times < 2; times++) if (typeof collect === 'function') collect();
  const { heapUsed: objects, arrayBuffers } = process.memoryUsage();
  return objects + arrayBuffers;
}
