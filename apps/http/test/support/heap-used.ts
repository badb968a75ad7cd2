import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In bytes, after everything that nobody holds has gone; with what is held outside of the heap. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed: objects, arrayBuffers } = process.memoryUsage();
  return objects + arrayBuffers;
}
