import type { ApprovedRepositories, ChangeSet, IndexReport } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { EntryTable } from './entry-table.js';
import { RecordScan } from './record-scan.js';
import { RepositoryNames } from './repository-names.js';
import type { SearchScope } from './search-scope.js';

/** Records that one step reads. */
const STEP = 1_000;
const MAX_WINDOWS = 20;
/** Pages of the index that one step writes. */
const MERGED_PAGES = 100;
/** The percentage of deleted entries above which FTS5 merges by itself. The second one is its default. */
const DELETE_MERGE = { never: 0, usual: 10 } as const;

const HIDDEN_SQL = `select id from scope where ref <> '-' and id > ?
  and not exists (select 1 from search_scope s where s.ref = scope.ref) order by id limit 1`;
/** The last of the next records. The index contains all that is read. */
const WINDOW_SQL = 'select max(id) from (select id from record where scope = ? and id > ? order by id limit ?)';
const ENTRIES_SQL = `select r.id, r.kind, s.ref from record r cross join search_entry e on e.record = r.id cross join scope s on s.id = r.scope
  where r.scope = ? and r.id > ? and r.id <= ?`;

const NOTHING: IndexReport = { added: 0, removed: 0 };

/** The last record that was looked at. It is not stored: after a restart, the work begins again and finds what is left. */
interface Progress {
  readonly scope: number;
  readonly record: number;
}

const START: Progress = { scope: 0, record: 0 };

/** Updates the entries to match the allowlist, in short steps. */
export class AlignSearch {
  readonly #database: SqliteDatabase;
  readonly #entries: EntryTable;
  readonly #scope: SearchScope;
  readonly #scan: RecordScan;
  #removing = START;
  #adding = START;
  #isMerging = false;

  constructor(database: SqliteDatabase, entries: EntryTable, scope: SearchScope) {
    this.#database = database;
    this.#entries = entries;
    this.#scope = scope;
    this.#scan = new RecordScan(database);
  }

  /** Makes one step. `null` if the index matches the allowlist. */
  next(approved: ApprovedRepositories, changed: ChangeSet): IndexReport | null {
    if (!this.#scope.limitTo(approved.refs)) return this.#scope.isSwept() ? this.#addNext(changed) : this.#removeNext(changed);
    this.restart();
    // Merges that FTS5 starts by itself would write the index several times, and one of them took four seconds.
    if (!this.#scope.isSwept()) this.#configure('deletemerge', DELETE_MERGE.never);
    return NOTHING;
  }

  /** Begins again, because the list has changed or a step has failed. */
  restart(): void {
    this.#removing = START;
    this.#adding = START;
    this.#isMerging = false;
  }

  /** Removes the next entries. Most hidden records have none, so several windows are looked at. */
  #removeNext(changed: ChangeSet): IndexReport {
    for (let windows = 0; windows < MAX_WINDOWS; windows++) {
      const { scope, record } = this.#removing;
      const last = this.#database.row(WINDOW_SQL, scope, record, STEP)?.[0];
      if (typeof last === 'number') {
        this.#removing = { scope, record: last };
        const removed = this.#removeEntries(scope, record, last, changed);
        if (removed > 0) return { added: 0, removed };
      } else if (!this.#enterNextHidden(scope)) {
        this.#mergeNext();
        break;
      }
    }
    return NOTHING;
  }

  #enterNextHidden(after: number): boolean {
    const scope = this.#database.number(HIDDEN_SQL, after);
    if (scope > 0) this.#removing = { scope, record: 0 };
    return scope > 0;
  }

  #removeEntries(scope: number, after: number, last: number, changed: ChangeSet): number {
    const rows = this.#database.rows(ENTRIES_SQL, scope, after, last);
    for (const [id, kind, ref] of rows) {
      this.#entries.remove(Number(id));
      changed.indexed(...([String(kind), String(ref)] as Parameters<ChangeSet['indexed']>));
    }
    return rows.length;
  }

  /** A deleted entry leaves its words in the index until the segment of the index that contains them is merged. So all segments are merged into one. */
  #mergeNext(): void {
    const before = this.#changes();
    this.#configure('merge', this.#isMerging ? MERGED_PAGES : -MERGED_PAGES);
    // The command itself counts as one change.
    this.#isMerging = this.#changes() - before > 1;
    if (this.#isMerging) return;
    this.#configure('deletemerge', DELETE_MERGE.usual);
    this.#scope.swept();
  }

  #addNext(changed: ChangeSet): IndexReport | null {
    const ref = this.#scope.incomplete();
    if (ref === null) return null;
    const scope = this.#database.number('select id from scope where ref = ?', ref);
    const { records, last } = this.#scan.after(scope, this.#adding.scope === scope ? this.#adding.record : 0, 'missing', STEP);
    if (last === null) this.#scope.completed(ref);
    else this.#adding = { scope, record: last };
    const names = new RepositoryNames(this.#database);
    for (const { id, record } of records) {
      this.#entries.add(id, record, names);
      changed.indexed(record.kind, ref);
    }
    this.#entries.finish();
    return { added: records.length, removed: 0 };
  }

  #configure(name: 'merge' | 'deletemerge', value: number): void {
    // The driver binds numbers as floating-point numbers, which FTS5 refuses here.
    this.#database.run(`insert into search_words (search_words, rank) values ('${name}', ${value})`);
  }

  #changes(): number {
    return this.#database.number('select total_changes()');
  }
}
