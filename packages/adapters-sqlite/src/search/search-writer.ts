import {
  isSearchable,
  nameOfRef,
  scopeOfRecord,
  type ApprovedRepositories,
  type ChangeSet,
  type PlainRecord,
  type RepositoryRecord,
  type RepositoryRef,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { AlignSearch, RecordScan } from './align-search.js';
import { EntryTable } from './entry-table.js';
import { isSameName, RepositoryNames } from './repository-names.js';
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

/** Records of a renamed repository that one step writes again. */
const STEP = 1_000;
const RENAMED_SQL = `insert into search_renamed (scope, done) select id, 0 from scope where ref = ? on conflict (scope) do update set done = 0`;

/** Keeps the search index in line with the records. All methods run inside a transaction, in the writer's thread. */
export class SearchWriter {
  readonly #entries: EntryTable;
  readonly #scope: SearchScope;
  readonly #align: AlignSearch;
  readonly #scan: RecordScan;
  readonly #replaced = new Map<number, ReplacedRecord>();

  constructor(private readonly database: SqliteDatabase) {
    this.#entries = new EntryTable(database);
    this.#scope = new SearchScope(database);
    this.#align = new AlignSearch(database, this.#entries, this.#scope);
    this.#scan = new RecordScan(database);
  }

  /** Remembers a record of the batch that was written. */
  replaced(record: ReplacedRecord): void {
    const { id, after } = record;
    // Its number may be given to a new record of the same batch.
    if (after === null) this.#entries.remove(id);
    const known = this.#replaced.get(id);
    this.#replaced.set(id, known === undefined || known.after === null ? record : { ...record, before: known.before });
  }

  /** Writes the entries of the batch. Call this once, at its end: the name of a repository counts for all its records. */
  finish(): void {
    const names = new RepositoryNames(this.database);
    for (const replaced of this.#replaced.values()) {
      this.#write(replaced, names);
      this.#noteName(replaced);
    }
    this.#replaced.clear();
    this.#entries.finish();
    this.#scope.forget();
  }

  /**
   * Writes the next entries of renamed repositories. Call this after each batch, in transactions of their own, until it returns `false`: a repository may have many
   * records.
   *
   * @param changed gets the repository, because search finds its records by other words then
   */
  renameNext(changed: ChangeSet): boolean {
    const row = this.database.row('select r.scope, r.done, s.ref from search_renamed r join scope s on s.id = r.scope limit 1');
    if (row === null) return false;
    const [scope, done] = [Number(row[0]), Number(row[1])];
    changed.facts(String(row[2]) as RepositoryRef);
    const { records, last } = this.#scan.after(scope, done, 'found', STEP);
    const names = new RepositoryNames(this.database);
    for (const { id, record } of records) this.#entries.rewrite(id, record, names);
    this.#entries.finish();
    if (last === null) this.database.run('delete from search_renamed where scope = ?', scope);
    else this.database.run('update search_renamed set done = ? where scope = ?', last, scope);
    return true;
  }

  /**
   * The next step of `RecordWriter.indexFor`. Several calls complete the work, so that no transaction is long.
   *
   * @param changed gets the records that search finds or no longer finds
   * @returns `false` if the index matches the allowlist
   */
  indexNext(approved: ApprovedRepositories, changed: ChangeSet): boolean {
    return this.renameNext(changed) || this.#align.next(approved, changed);
  }

  /** Called when a transaction has failed: forgets cached values that may not be stored. */
  forget(): void {
    this.#replaced.clear();
    this.#scope.forget();
    this.#entries.forget();
    this.#align.restart();
  }

  #write({ id, before, after }: ReplacedRecord, names: RepositoryNames): void {
    if (after === null || !isSearchable(after)) return;
    if (before !== null && isSearchable(before)) this.#entries.replace(id, before, after, names);
    else if (this.#scope.includes(scopeOfRecord(after))) this.#entries.add(id, after, names);
  }

  /** A repository without a record has the name in its ref. */
  #noteName({ before, after }: ReplacedRecord): void {
    const repository = [after, before].find((record): record is RepositoryRecord => record?.kind === 'repository');
    if (repository === undefined) return;
    const { repositoryRef } = repository;
    const nameIn = (record: PlainRecord | null): string => (record?.kind === 'repository' ? record.fullName : nameOfRef(repositoryRef));
    if (!isSameName(nameIn(before), nameIn(after))) this.database.run(RENAMED_SQL, repositoryRef);
  }
}
