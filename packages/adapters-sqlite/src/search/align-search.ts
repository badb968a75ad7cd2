import { isSearchable, SEARCHED_KINDS, type ApprovedRepositories, type ChangeSet, type ScopeRef, type SearchableRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { ROW_COLUMNS, RowDecoder, rowOf } from '../records/decoding.js';
import { EntryTable } from './entry-table.js';
import { HiddenEntries } from './hidden-entries.js';
import { RepositoryNames } from './repository-names.js';
import { SearchScope } from './search-scope.js';

/** Records that one step reads. */
const STEP = 1_000;

const START = { scope: 0, record: 0 };

/** Updates the entries to match the allowlist, in short steps. */
export class AlignSearch {
  readonly #scan: RecordScan;
  readonly #hidden: HiddenEntries;
  /** The last record that was looked at. It is not stored: after a restart, the work starts again and finds the remaining records. */
  #adding = START;
  #changed: ChangeSet | null = null;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly entries: EntryTable,
    private readonly scope: SearchScope,
  ) {
    this.#scan = new RecordScan(database);
    this.#hidden = new HiddenEntries(database, scope, (id, kind, ref) => {
      entries.remove(id);
      this.#changed?.indexed(...([kind, ref] as Parameters<ChangeSet['indexed']>));
    });
  }

  /** Makes one step. Returns `false` if the index matches the allowlist. */
  next(approved: ApprovedRepositories, changed: ChangeSet): boolean {
    this.#changed = changed;
    const isSwept = this.scope.isSwept();
    if (!this.scope.limitTo(approved.refs)) {
      if (isSwept) return this.#addNext(changed);
      this.#hidden.next();
    } else {
      this.restart();
      if (!this.scope.isSwept()) this.#hidden.prepare();
    }
    return true;
  }

  /** Begins again, because the list has changed or a step has failed. */
  restart(): void {
    this.#hidden.restart();
    this.#adding = START;
  }

  #addNext(changed: ChangeSet): boolean {
    const ref = this.scope.incomplete();
    if (ref === null) return false;
    const scope = this.database.number('select id from scope where ref = ?', ref);
    const { records, last } = this.#scan.after(scope, this.#adding.scope === scope ? this.#adding.record : 0, 'missing', STEP);
    if (last === null) this.scope.completed(ref);
    else this.#adding = { scope, record: last };
    const names = new RepositoryNames(this.database);
    for (const { id, record } of records) {
      this.entries.add(id, record, names);
      changed.indexed(record.kind, ref);
    }
    this.entries.finish();
    return true;
  }
}

/** A record that search can find, and its number. */
export interface ScannedRecord {
  readonly id: number;
  readonly record: SearchableRecord;
}

export interface Scanned {
  readonly records: readonly ScannedRecord[];
  /** The number of the last record that was read; `null` if there was none. */
  readonly last: number | null;
}

const SEARCHED = SEARCHED_KINDS.map((kind) => `'${kind}'`).join();
const HAS_ENTRY = 'exists (select 1 from search_entry where record = record.id)';
const scanSql = (condition: string): string =>
  `select ${ROW_COLUMNS}, kind, id from record where scope = ? and id > ? and ${condition} and kind in (${SEARCHED}) order by id limit ?`;
const SCAN_SQL = { found: scanSql(HAS_ENTRY), missing: scanSql(`not ${HAS_ENTRY}`) };

/** Reads the searchable records of a repository in the order of their numbers: those that have an entry, or those that have none. */
export class RecordScan {
  readonly #decoder = new RowDecoder(null);

  constructor(private readonly database: SqliteDatabase) {}

  after(scope: number, id: number, which: keyof typeof SCAN_SQL, limit: number): Scanned {
    const rows = this.database.rows(SCAN_SQL[which], scope, id, limit);
    const records = rows.flatMap((row) => {
      const record = this.#decoder.record(String(row[3]) as SearchableRecord['kind'], rowOf(row));
      return record !== null && isSearchable(record) ? [{ id: Number(row[4]), record }] : [];
    });
    return { records, last: rows.length === 0 ? null : Number(rows.at(-1)?.[4]) };
  }
}

/** Adds the entries of kinds that earlier formats did not search. */
export function addMissingEntries(database: SqliteDatabase): void {
  const [entries, scan, included] = [new EntryTable(database), new RecordScan(database), new SearchScope(database)];
  const names = new RepositoryNames(database);
  for (const [scope, ref] of database.rows('select id, ref from scope')) {
    if (!included.includes(String(ref) as ScopeRef)) continue;
    for (let last: number | null = 0; last !== null;) {
      const scanned = scan.after(Number(scope), last, 'missing', STEP);
      for (const { id, record } of scanned.records) entries.add(id, record, names);
      entries.finish();
      last = scanned.last;
    }
  }
}
