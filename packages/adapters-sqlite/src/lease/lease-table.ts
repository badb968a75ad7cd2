import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { Turn } from './turn.js';

/** The stored leases. Times are those of the machine, which all processes that share the file run on; terms hold even if its clock is set. */
export class LeaseTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Starts a turn if the lease is free, has expired, or belongs to the same holder. Returns the current turn, whoever has it. */
  take(name: string, holder: string, lastsMs: number): Turn {
    return this.#database.transaction(() => {
      const now = Date.now();
      const row = this.#database.row('select holder, term, expires_at from lease where name = ?', name);
      const [other, term, expiresAt] = [String(row?.[0] ?? ''), Number(row?.[1] ?? 0), Number(row?.[2] ?? 0)];
      // A lease that ends later than any new one would was stored with a wrong clock.
      if (row !== null && other !== holder && expiresAt > now && expiresAt <= now + lastsMs) return { name, holder: other, term };
      this.#database.run('insert or replace into lease (name, holder, term, expires_at) values (?, ?, ?, ?)', name, holder, term + 1, now + lastsMs);
      return { name, holder, term: term + 1 };
    });
  }

  /** Whether the turn continues. Call this inside the transaction whose writes depend on it: the next turn cannot start before its end. */
  isCurrent({ name, holder, term }: Turn): boolean {
    return this.#database.row('select 1 from lease where name = ? and holder = ? and term = ?', name, holder, term) !== null;
  }

  /** Whether the turn continues. */
  renew({ name, holder, term }: Turn, lastsMs: number): boolean {
    const change = 'update lease set expires_at = ? where name = ? and holder = ? and term = ?';
    return this.#database.run(change, Date.now() + lastsMs, name, holder, term).changes === 1;
  }

  /** The row stays, so that the next turn has a greater term. */
  release({ name, holder, term }: Turn): void {
    this.#database.run('update lease set expires_at = 0 where name = ? and holder = ? and term = ?', name, holder, term);
  }
}
