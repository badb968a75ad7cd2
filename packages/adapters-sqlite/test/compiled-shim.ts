import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles the shim for failing disks into a folder. `null` where that is not possible. */
export function compiledShim(folder: string): string | null {
  const [source, library] = [join(__dirname, 'failing-disk.c'), join(folder, 'failing-disk.so')];
  const isBuilt = process.platform === 'linux' && spawnSync('cc', ['-shared', '-fPIC', '-O0', '-o', library, source, '-ldl']).status === 0;
  return isBuilt ? library : null;
}
