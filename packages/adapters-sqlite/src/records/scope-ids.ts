import type { ScopeRef } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** The numbers that stand for repositories in indexes. A number is never given to another repository, so known ones are kept. */
export class ScopeIds {
  readonly #database: SqliteDatabase;
  readonly #known = new Map<ScopeRef, number>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** `null` if no record of the repository was ever stored. */
  find(ref: ScopeRef): number | null {
    const known = this.#known.get(ref);
    if (known !== undefined) return known;
    const row = this.#database.row('select id from scope where ref = ?', ref);
    if (row === null) return null;
    this.#known.set(ref, Number(row[0]));
    return Number(row[0]);
  }

  /** The numbers of those repositories that have one. */
  ofAll(refs: readonly ScopeRef[]): readonly number[] {
    return refs.flatMap((ref) => this.find(ref) ?? []);
  }

  /** Gives the repository a number if it has none. Call this inside a transaction, and {@link forget} if it fails. */
  create(ref: ScopeRef): number {
    const known = this.find(ref);
    if (known !== null) return known;
    const id = Number(this.#database.run('insert into scope (ref) values (?)', ref).lastInsertRowid);
    this.#known.set(ref, id);
    return id;
  }

  /** After a transaction has failed, the numbers that it gave may not exist. */
  forget(): void {
    this.#known.clear();
  }
}
