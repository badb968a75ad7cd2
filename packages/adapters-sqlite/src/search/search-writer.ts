import { isSearchable, nameOfRef, scopeOf, SEARCHED_KINDS } from '@vitrine/core';
import type { ApprovedRepositories, ChangeSet, PlainRecord, RepositoryRecord, RepositoryRef, ScopeRef, SearchableRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { ROW_COLUMNS, RowDecoder, rowOf } from '../records/reading.js';
import { EntryTable, isSameName } from './entry-table.js';
import { SearchScope } from './search-scope.js';

/** A stored record that was written, as the search index needs it. */
export interface ReplacedRecord {
  /** `record.id`: stays the same while the record exists. */
  readonly id: number;
  /** `null` if the record is new, or could not be decoded. */
  readonly before: PlainRecord | null;
  /** `null` if the record was removed. If both are `null`, a record that could not be decoded was removed. */
  readonly after: PlainRecord | null;
}

/** Records that one step reads, and writes again if their repository was renamed. */
const STEP = 1_000;
const RENAMED_SQL = `insert into search_renamed (scope, done) select id, 0 from scope where ref = ? on conflict (scope) do update set done = 0`;

const START = { scope: 0, record: 0 };

/** Keeps the search index in line with the records. All methods run inside a transaction, in the writer's thread. */
export class SearchWriter {
  readonly #entries: EntryTable;
  readonly #scope: SearchScope;
  /** The last record that was added because the list has changed. It is not stored: after a restart, the work starts again and finds the remaining records. */
  #added = START;

  constructor(private readonly database: SqliteDatabase) {
    this.#entries = new EntryTable(database);
    this.#scope = new SearchScope(database);
  }

  replaced(replaced: ReplacedRecord): void {
    const { id, before, after } = replaced;
    this.#noteName(replaced);
    if (after === null) this.#entries.remove(id);
    else if (isSearchable(after)) {
      if (before !== null && isSearchable(before)) this.#entries.replace(id, before, after);
      else if (this.#scope.includes(scopeOf(after))) this.#entries.add(id, after);
    }
  }

  /** Call this at the end of a batch: after it, another process may change the names and the scope. */
  finish(): void {
    this.#entries.finish();
    this.#scope.forget();
    this.#entries.names.forget();
  }

  /** Writes the next entries of renamed repositories: call this after each batch until it returns `false`, because a repository may have many records. @param changed gets the repositories */
  renameNext(changed: ChangeSet): boolean {
    const row = this.database.row('select r.scope, r.done, s.ref from search_renamed r join scope s on s.id = r.scope limit 1');
    if (row === null) return false;
    const [scope, done] = [Number(row[0]), Number(row[1])];
    changed.facts(String(row[2]) as RepositoryRef);
    const { records, last } = scanned(this.database, 'found', scope, done);
    for (const { id, record } of records) this.#entries.rewrite(id, record);
    this.finish();
    if (last === null) this.database.run('delete from search_renamed where scope = ?', scope);
    else this.database.run('update search_renamed set done = ? where scope = ?', last, scope);
    return true;
  }

  /** The next step of `RecordWriter.indexFor`, so that no transaction is long. Returns `false` if the index matches the allowlist. @param changed gets the records that search finds or no longer finds */
  indexNext(approved: ApprovedRepositories, changed: ChangeSet): boolean {
    if (this.renameNext(changed)) return true;
    if (this.#scope.limitTo(approved.refs)) {
      this.#added = START;
      return true;
    }
    const isRemoving = this.#scope.removeNext((id, kind, ref) => {
      this.#entries.remove(id);
      changed.indexed(...([kind, ref] as Parameters<ChangeSet['indexed']>));
    });
    return isRemoving || this.#addNext(changed);
  }

  /** Adds the next entries of a repository that was approved. Returns `false` if there are none. */
  #addNext(changed: ChangeSet): boolean {
    const ref = this.#scope.incomplete();
    if (ref === null) return false;
    const scope = this.database.number('select id from scope where ref = ?', ref);
    const { records, last } = scanned(this.database, 'missing', scope, this.#added.scope === scope ? this.#added.record : 0);
    if (last === null) this.#scope.setComplete(ref, true);
    else this.#added = { scope, record: last };
    for (const { id, record } of records) {
      this.#entries.add(id, record);
      changed.indexed(record.kind, ref);
    }
    this.finish();
    return true;
  }

  /** The name of a repository counts for all its records. */
  #noteName({ before, after }: ReplacedRecord): void {
    const repository = [after, before].find((record): record is RepositoryRecord => record?.kind === 'repository');
    if (repository === undefined) return;
    const { repositoryRef } = repository;
    // A repository without a record has the name in its ref.
    const nameIn = (record: PlainRecord | null): string => (record?.kind === 'repository' ? record.fullName : nameOfRef(repositoryRef));
    if (!isSameName(nameIn(before), nameIn(after))) this.database.run(RENAMED_SQL, repositoryRef);
    this.#entries.names.forget();
  }
}

const UNWATCHED = new RowDecoder(null);
const SEARCHED = SEARCHED_KINDS.map((kind) => `'${kind}'`).join();
const HAS_ENTRY = 'exists (select 1 from search_entry where record = record.id)';
const scanSql = (condition: string): string =>
  `select ${ROW_COLUMNS}, kind, id from record where scope = ? and id > ? and ${condition} and kind in (${SEARCHED}) order by id limit ?`;
const SCAN_SQL = {
  found: scanSql(HAS_ENTRY),
  missing: scanSql(`not ${HAS_ENTRY}`),
  versions: scanSql(`${HAS_ENTRY} and json glob '*[vV][0-9]*'`),
};

/** Searchable records of a repository in the order of their numbers: those that have an entry, those of them that may name a version, or those that have none. */
function scanned(database: SqliteDatabase, which: keyof typeof SCAN_SQL, scope: number, after: number) {
  const rows = database.rows(SCAN_SQL[which], scope, after, STEP);
  const records = rows.flatMap((row) => {
    const record = UNWATCHED.record(String(row[3]) as SearchableRecord['kind'], rowOf(row));
    return record !== null && isSearchable(record) ? [{ id: Number(row[4]), record }] : [];
  });
  return { records, last: rows.length === 0 ? null : Number(rows.at(-1)?.[4]) };
}

export function updateEntries(database: SqliteDatabase, which: keyof typeof SCAN_SQL, how: 'add' | 'rewrite'): void {
  const [entries, included] = [new EntryTable(database), new SearchScope(database)];
  for (const [scope, ref] of database.rows('select id, ref from scope')) {
    if (!included.includes(String(ref) as ScopeRef)) continue;
    for (let last: number | null = 0; last !== null;) {
      const step: ReturnType<typeof scanned> = scanned(database, which, Number(scope), last);
      for (const { id, record } of step.records) entries[how](id, record);
      entries.finish();
      last = step.last;
    }
  }
}
