import type { Instant } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { dayNumberOf, eachCount, packCounts, rowNumberOf, type CountedKind } from './activity-counts.js';

interface ChangedRow {
  readonly kind: CountedKind;
  readonly scope: number;
  readonly part: number;
  /** By how much the number of each day has changed. */
  readonly changes: Map<number, number>;
}

/** Keeps the daily numbers of commits and releases up to date. Every method must run inside the transaction that changes the records. */
export class ActivityWriter {
  readonly #database: SqliteDatabase;
  readonly #changed = new Map<string, ChangedRow>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  added(kind: CountedKind, scope: number, time: Instant): void {
    this.#change(kind, scope, time, 1);
  }

  removed(kind: CountedKind, scope: number, time: Instant): void {
    this.#change(kind, scope, time, -1);
  }

  /** Writes all changes since the last call. Call this once, at the end of a transaction. */
  finish(): void {
    for (const row of this.#changed.values()) this.#write(row);
    this.#changed.clear();
  }

  /** After a transaction has failed, its changes do not count. */
  forget(): void {
    this.#changed.clear();
  }

  #change(kind: CountedKind, scope: number, time: Instant, by: number): void {
    const dayNumber = dayNumberOf(time);
    const part = rowNumberOf(dayNumber);
    const key = `${kind} ${String(scope)} ${String(part)}`;
    const row = this.#changed.get(key) ?? { kind, scope, part, changes: new Map<number, number>() };
    row.changes.set(dayNumber, (row.changes.get(dayNumber) ?? 0) + by);
    this.#changed.set(key, row);
  }

  #write({ kind, scope, part, changes }: ChangedRow): void {
    const counts = new Map<number, number>();
    const stored = this.#database.row('select counts from activity where kind = ? and scope = ? and part = ?', kind, scope, part)?.[0];
    if (stored instanceof Uint8Array) eachCount(stored, (dayNumber, count) => counts.set(dayNumber, count));
    for (const [dayNumber, by] of changes) counts.set(dayNumber, (counts.get(dayNumber) ?? 0) + by);
    const packed = packCounts(counts);
    if (packed.length === 0) this.#database.run('delete from activity where kind = ? and scope = ? and part = ?', kind, scope, part);
    else this.#database.run('insert or replace into activity (kind, scope, part, counts) values (?, ?, ?, ?)', kind, scope, part, packed);
  }
}
