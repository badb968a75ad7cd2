import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory in use after a garbage collection, in bytes, including memory outside of the heap. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // Buffers that one collection finds unused are released at the latest when the next one starts.
  for (let times = 0; times < 2; times++) if (typeof collect === 'function') collect();
  const { heapUsed: objects, arrayBuffers } = process.memoryUsage();
  return objects + arrayBuffers;
}
