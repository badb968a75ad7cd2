import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { isNumber, isText, maybe, objectOf, storedJson } from '../records/reading.js';

/** One turn of a holder. Each turn has a greater term than the turns before. */
export interface Turn {
  readonly holder: string;
  readonly term: number;
}

/** The only lease: of the process that runs the scheduled sources of a store. */
const NAME = 'collector';
const TAKE_SQL = 'insert or replace into lease (name, holder, term, expires_at, process) values (?, ?, ?, ?, ?)';

/** The stored leases. Times are those of the machine, which all processes that share the file run on; terms hold even if its clock is set. */
export class LeaseTable {
  constructor(private readonly database: SqliteDatabase) {}

  /** Starts a turn if the lease is free, has expired, belongs to the same holder, or to a process that has ended. Returns the current turn, of this or another holder. */
  take(holder: string, lastsMs: number): Turn {
    return this.database.transaction(() => {
      const now = Date.now();
      const last = this.#stored();
      const own = ownProcess();
      // A lease that ends later than any new one would was stored with a wrong clock.
      const isHeld = last !== null && last.expiresAt > now && last.expiresAt <= now + lastsMs;
      if (isHeld && last.holder !== holder && !hasEnded(last.process, own)) return { holder: last.holder, term: last.term };
      const term = (last?.term ?? 0) + 1;
      this.database.run(TAKE_SQL, NAME, holder, term, now + lastsMs, JSON.stringify(own));
      return { holder, term };
    });
  }

  /** Whether the turn continues. Call this inside the transaction whose writes depend on it: the next turn cannot start before its end. */
  isCurrent({ holder, term }: Turn): boolean {
    return this.database.row('select 1 from lease where name = ? and holder = ? and term = ?', NAME, holder, term) !== null;
  }

  /** Whether the turn continues. */
  renew({ holder, term }: Turn, lastsMs: number): boolean {
    const change = 'update lease set expires_at = ? where name = ? and holder = ? and term = ?';
    return this.database.run(change, Date.now() + lastsMs, NAME, holder, term).changes === 1;
  }

  /** The row stays, so that the next turn has a greater term. */
  release({ holder, term }: Turn): void {
    this.database.run('update lease set expires_at = 0 where name = ? and holder = ? and term = ?', NAME, holder, term);
  }

  #stored() {
    const row = this.database.row('select holder, term, expires_at, process from lease where name = ?', NAME);
    return row === null ? null : { holder: String(row[0]), term: Number(row[1]), expiresAt: Number(row[2]), process: storedProcess(row[3]) };
  }
}

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

const isHolderProcess = objectOf<HolderProcess>({
  host: isText,
  bootId: maybe(isText),
  namespaces: maybe(isText),
  pid: isNumber,
  startedAt: maybe(isNumber),
});
/** The place of the start time behind the name of the program, which may contain spaces and brackets. */
const START_FIELD = 19;

/** Whether a process has certainly ended. What cannot be told is `false`, as is `null`, a process that is not known: then its lease expires as usual. */
export function hasEnded(holder: HolderProcess | null, observer: HolderProcess, seen?: SeenProcess): boolean {
  if (holder === null || !isSamePlace(holder, observer)) return false;
  const { exists, startedAt } = seen ?? seenProcess(holder.pid);
  return !exists || (holder.startedAt !== null && startedAt !== null && holder.startedAt !== startedAt);
}

function isSamePlace(one: HolderProcess, two: HolderProcess): boolean {
  if (one.bootId === null || one.namespaces === null) return false;
  return one.host === two.host && one.bootId === two.bootId && one.namespaces === two.namespaces;
}

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

export function seenProcess(pid: number): SeenProcess {
  return { exists: doesExist(pid), startedAt: startOf(pid) };
}

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
  const fields = stat?.slice(stat.lastIndexOf(')') + 1).trim();
  const ticks = Number(fields?.split(' ')[START_FIELD]);
  return Number.isSafeInteger(ticks) ? ticks : null;
}

function told(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
