import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/**
 * The repositories whose records get entries, and how far the update to this list has come. It is stored, so that the next call completes an update that was
 * interrupted, and other processes know the list.
 */
export class SearchScope {
  /** What is known within a batch. */
  readonly #included = new Map<ScopeRef, boolean>();

  constructor(private readonly database: SqliteDatabase) {}

  /** Whether records of a repository get entries. Until the first {@link SearchScope.limitTo}, those of every repository do. */
  includes(ref: ScopeRef): boolean {
    if (ref === NO_REPOSITORY) return true;
    const known = this.#included.get(ref);
    if (known !== undefined) return known;
    const isIncluded = !this.#isLimited() || this.database.row('select 1 from search_scope where ref = ?', ref) !== null;
    this.#included.set(ref, isIncluded);
    return isIncluded;
  }

  /** Call this at the end of a batch: after it, another process may change the list. */
  forget(): void {
    this.#included.clear();
  }

  /** Changes the list. Returns `false` if it is the list already. */
  limitTo(wanted: readonly ScopeRef[]): boolean {
    const refs = new Set<string>(wanted);
    const isLimited = this.#isLimited();
    const known = new Set(this.database.rows('select ref from search_scope').map(([ref]) => String(ref)));
    if (isLimited && known.size === refs.size && [...refs].every((ref) => known.has(ref))) return false;
    const loses = !isLimited || [...known].some((ref) => !refs.has(ref));
    this.database.run('delete from search_scope where ref not in (select value from json_each(?))', JSON.stringify(wanted));
    // Without a list, every record has an entry.
    for (const ref of refs) this.database.run('insert or ignore into search_scope (ref, is_complete) values (?, ?)', ref, isLimited ? 0 : 1);
    this.database.run('update search_state set is_limited = 1, is_swept = min(is_swept, ?)', loses ? 0 : 1);
    return true;
  }

  /** Whether all entries of other repositories are removed. */
  isSwept(): boolean {
    return this.database.number('select is_swept from search_state') === 1;
  }

  swept(): void {
    this.database.run('update search_state set is_swept = 1');
  }

  /** A repository of which not all records have entries; `null` if there is none. */
  incomplete(): RepositoryRef | null {
    const row = this.database.row('select ref from search_scope where is_complete = 0 limit 1');
    return row === null ? null : (String(row[0]) as RepositoryRef);
  }

  completed(ref: RepositoryRef): void {
    this.database.run('update search_scope set is_complete = 1 where ref = ?', ref);
  }

  #isLimited(): boolean {
    return this.database.number('select is_limited from search_state') === 1;
  }
}
