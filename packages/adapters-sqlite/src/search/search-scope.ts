import { NO_REPOSITORY, type ScopeRef } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Records of one window, windows of one step, and pages of the index that one step writes. */
const [WINDOW, MAX_WINDOWS, MERGED_PAGES] = [1_000, 20, 100];
/** The percentage of deleted entries above which FTS5 merges by itself. The second one is its default. */
const DELETE_MERGE = { never: 0, usual: 10 } as const;

const HIDDEN_SQL = `select id from scope where ref <> '-' and id > ?
  and not exists (select 1 from search_scope s where s.ref = scope.ref) order by id limit 1`;
/** The last of the next records. The index contains all that is read. */
const WINDOW_SQL = 'select max(id) from (select id from record where scope = ? and id > ? order by id limit ?)';
const ENTRIES_SQL = `select r.id, r.kind, s.ref from record r cross join search_entry e on e.record = r.id cross join scope s on s.id = r.scope
  where r.scope = ? and r.id > ? and r.id <= ?`;

const START = { scope: 0, record: 0 } as const;

/** The repositories whose records get entries, and how far the update to this list has come. Both are stored: the next call goes on, and other processes know the list. */
export class SearchScope {
  readonly #included = new Map<ScopeRef, boolean>();
  /** The last record that was looked at. It is not stored: after a restart, the work starts again and finds the remaining records. */
  #progress: Readonly<Record<keyof typeof START, number>> = START;
  #isMerging = false;

  constructor(private readonly database: SqliteDatabase) {}

  /** Whether records of a repository get entries. Until there is a list, those of every repository do. */
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
    this.#begin();
    return true;
  }

  #isSwept(): boolean {
    return this.database.number('select is_swept from search_state') === 1;
  }

  /** A repository of which not all records have entries; `null` if there is none. */
  incomplete(): ScopeRef | null {
    const row = this.database.row('select ref from search_scope where is_complete = 0 order by ref limit 1');
    return row === null ? null : (String(row[0]) as ScopeRef);
  }

  /** Whether all records of a repository have entries now. @param ref `null`: those of any */
  setComplete(ref: ScopeRef | null, isComplete: boolean): void {
    this.database.run('update search_scope set is_complete = ? where ref = coalesce(?, ref)', Number(isComplete), ref);
  }

  #isLimited(): boolean {
    return this.database.number('select is_limited from search_state') === 1;
  }

  /** While entries are removed, FTS5 does not merge by itself: such merges would write the index several times, and one of them took four seconds. */
  #begin(): void {
    this.#progress = START;
    this.#isMerging = false;
    if (!this.#isSwept()) this.#configure('deletemerge', DELETE_MERGE.never);
  }

  /** Removes the next entries of repositories that are not on the list, and at the end every trace of their words, in short steps. Returns `false` if nothing was left. */
  removeNext(remove: (id: number, kind: string, ref: string) => void): boolean {
    if (this.#isSwept()) return false;
    for (let windows = 0; windows < MAX_WINDOWS; windows++) {
      const { scope, record } = this.#progress;
      const last = this.database.row(WINDOW_SQL, scope, record, WINDOW)?.[0];
      if (typeof last === 'number') {
        this.#progress = { scope, record: last };
        const rows = this.database.rows(ENTRIES_SQL, scope, record, last);
        for (const [id, kind, ref] of rows) remove(Number(id), String(kind), String(ref));
        if (rows.length > 0) return true;
      } else if (!this.#enterNext(scope)) {
        this.#mergeNext();
        return true;
      }
    }
    return true;
  }

  #enterNext(after: number): boolean {
    const scope = this.database.number(HIDDEN_SQL, after);
    if (scope > 0) this.#progress = { scope, record: 0 };
    return scope > 0;
  }

  /** A deleted entry leaves its words in the index until the segment of the index that contains them is merged. So all segments are merged into one. */
  #mergeNext(): void {
    const before = this.#changes();
    this.#configure('merge', this.#isMerging ? MERGED_PAGES : -MERGED_PAGES);
    // The command itself counts as one change.
    this.#isMerging = this.#changes() - before > 1;
    if (this.#isMerging) return;
    this.#configure('deletemerge', DELETE_MERGE.usual);
    this.database.run('update search_state set is_swept = 1');
  }

  #configure(name: 'merge' | 'deletemerge', value: number): void {
    // The driver binds numbers as floating-point numbers, which FTS5 refuses here.
    this.database.run(`insert into search_words (search_words, rank) values ('${name}', ${value})`);
  }

  #changes(): number {
    return this.database.number('select total_changes()');
  }
}
