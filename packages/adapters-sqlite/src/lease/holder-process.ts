import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { fitsOf, storedJson } from '../records/decoding.js';

/** Names a process so that another one can tell whether it is the same, and whether it still runs. */
export interface HolderProcess {
  readonly host: string;
  /** Changes at each start of the machine. `null` where the system does not tell. */
  readonly bootId: string | null;
  /** In which process ids and times since the boot have the same meaning. `null` where the system does not tell. */
  readonly namespaces: string | null;
  readonly pid: number;
  /** In ticks since the boot. `null` where the system does not tell. */
  readonly startedAt: number | null;
}

/** What the system says about a process id now. */
export interface SeenProcess {
  readonly exists: boolean;
  /** In ticks since the boot. `null` where the system does not tell, also about a process that exists. */
  readonly startedAt: number | null;
}

const isHolderProcess = fitsOf<HolderProcess>({ host: 'string', bootId: 'string?', namespaces: 'string?', pid: 'number', startedAt: 'number?' });
/** The place of the start time behind the name of the program, which may contain spaces and brackets. */
const START_FIELD = 19;

/** Whether the process that holds a lease has certainly ended. What cannot be told is `false`: then the lease expires as usual. */
export function hasEnded(holder: HolderProcess, observer: HolderProcess, seen: SeenProcess): boolean {
  if (!isSamePlace(holder, observer)) return false;
  if (!seen.exists) return true;
  return holder.startedAt !== null && seen.startedAt !== null && holder.startedAt !== seen.startedAt;
}

function isSamePlace(one: HolderProcess, two: HolderProcess): boolean {
  if (one.bootId === null || one.namespaces === null) return false;
  return one.host === two.host && one.bootId === two.bootId && one.namespaces === two.namespaces;
}

/** The calling process. */
export function ownProcess(): HolderProcess {
  const { pid } = process;
  // A /proc of another namespace lists other processes under the same ids.
  const isOwnProc = told(() => readlinkSync('/proc/self')) === String(pid);
  return {
    host: hostname(),
    bootId: isOwnProc ? told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) : null,
    namespaces: isOwnProc ? namespacesOf() : null,
    pid,
    startedAt: isOwnProc ? startOf(pid) : null,
  };
}

/** What the system says about a process of the same place. */
export function seenProcess(pid: number): SeenProcess {
  return { exists: doesExist(pid), startedAt: startOf(pid) };
}

/** A process as stored text; `null` if it is missing or damaged. */
export function storedProcess(json: unknown): HolderProcess | null {
  return storedJson(json, isHolderProcess);
}

function namespacesOf(): string | null {
  const ids = told(() => readlinkSync('/proc/self/ns/pid'));
  // Old kernels have no namespaces of time.
  return ids === null ? null : `${ids} ${told(() => readlinkSync('/proc/self/ns/time')) ?? ''}`.trim();
}

/** Not from /proc, which may hide the processes of other users. */
function doesExist(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function startOf(pid: number): number | null {
  const stat = told(() => readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  const ticks = Number(
    stat
      ?.slice(stat.lastIndexOf(')') + 1)
      .trim()
      .split(' ')[START_FIELD],
  );
  return Number.isSafeInteger(ticks) ? ticks : null;
}

function told(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
