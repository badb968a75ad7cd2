import type { Instant } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { hasEnded, ownProcess, seenProcess, storedProcess, type HolderProcess } from './holder-process.js';

/** One turn of a holder. Each turn has a greater term than the turns before. */
export interface Turn {
  readonly holder: string;
  readonly term: number;
}

interface StoredLease {
  readonly holder: string;
  /** `null` if it is not known. */
  readonly process: HolderProcess | null;
  readonly term: number;
  readonly expiresAt: Instant;
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
      if (isHeld && last.holder !== holder && !isLeft(last.process, own)) return { holder: last.holder, term: last.term };
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

  #stored(): StoredLease | null {
    const row = this.database.row('select holder, term, expires_at, process from lease where name = ?', NAME);
    return row === null ? null : { holder: String(row[0]), term: Number(row[1]), expiresAt: Number(row[2]), process: storedProcess(row[3]) };
  }
}

function isLeft(holder: HolderProcess | null, own: HolderProcess): boolean {
  return holder !== null && hasEnded(holder, own, seenProcess(holder.pid));
}
