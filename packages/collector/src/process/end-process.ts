import { setTimeout as sleep } from 'node:timers/promises';

/** As much of the process as its end takes. */
export interface EndableProcess {
  readonly pid: number;
  getActiveResourcesInfo(): string[];
  removeAllListeners(event: 'SIGTERM'): unknown;
  kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): unknown;
  exit(code: number): never;
}

const LOOK_MS = 50;
const LOOKS = 10;

/**
 * Ends the process, also when an operation on a file hangs: `exit` waits for it, however long that takes. Such a process can only be ended by a
 * signal, so its exit code is lost: SIGTERM stands for 0, which supervisors take for a stop as it should be, and SIGKILL for every other code.
 */
export async function endProcess(process: EndableProcess, code: number): Promise<void> {
  for (let look = 0; look < LOOKS && hangs(process); look++) await sleep(LOOK_MS);
  endProcessNow(process, code);
}

/** The same without giving operations that are under way the time to end. */
export function endProcessNow(process: EndableProcess, code: number): void {
  if (!hangs(process)) process.exit(code);
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, code === 0 ? 'SIGTERM' : 'SIGKILL');
}

function hangs(process: EndableProcess): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
}
