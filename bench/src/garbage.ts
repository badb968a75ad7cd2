import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB in use after a garbage collection. */
export function megabytesInUse(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
