import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A readable name for a process that requests a lease. It is unique, because processes in containers often have the same name and number. */
export function leaseHolder(pid: number): string {
  return `${hostname()}, process ${String(pid)} (${randomBytes(3).toString('hex')})`;
}

export interface EndableProcess {
  readonly pid: number;
  getActiveResourcesInfo(): string[];
  removeAllListeners(event: 'SIGTERM'): unknown;
  kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): unknown;
  exit(code: number): never;
}

const LOOK_MS = 50;
const LOOKS = 10;

/** Ends the process, even if a file operation hangs, for which `process.exit` would wait forever. Then the code is lost: SIGTERM, a normal stop, replaces 0, and SIGKILL all others. */
export async function endProcess(process: EndableProcess, code: number): Promise<void> {
  for (let look = 0; look < LOOKS && hangs(process); look++) await sleep(LOOK_MS);
  endProcessNow(process, code);
}

/** The same, but without waiting for running operations. */
export function endProcessNow(process: EndableProcess, code: number): void {
  if (!hangs(process)) process.exit(code);
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, code === 0 ? 'SIGTERM' : 'SIGKILL');
}

function hangs(process: EndableProcess): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
}

/** Whoever really asks again takes at least so long. npm passes on the signal that a terminal has sent to both, some milliseconds later. */
const AGAIN_MS = 1_000;

/** They ask a process to stop. A terminal that is closed sends SIGHUP, and so does who expects that the configuration is read again then; it always is. */
export const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` at the first of these signals. Whoever sends one again does not want to wait: it ends the process at once, with the code 1. */
export function stopOnSignals(
  process: EndableProcess & { on(signal: (typeof STOPPING)[number], hear: () => void): unknown },
  stop: () => void,
  now = (): number => performance.now(),
): void {
  let askedAt: number | null = null;
  const hear = (): void => {
    if (askedAt === null) {
      askedAt = now();
      stop();
    } else if (now() - askedAt >= AGAIN_MS) endProcessNow(process, 1);
  };
  for (const signal of STOPPING) process.on(signal, hear);
}
