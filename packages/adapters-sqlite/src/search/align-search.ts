import type { ApprovedRepositories, ChangeSet, IndexReport } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { EntryTable } from './entry-table.js';
import { HiddenEntries } from './hidden-entries.js';
import { RecordScan } from './record-scan.js';
import { RepositoryNames } from './repository-names.js';
import type { SearchScope } from './search-scope.js';

/** Records that one step reads. */
const STEP = 1_000;

const NOTHING: IndexReport = { added: 0, removed: 0 };
const START = { scope: 0, record: 0 };

/** Updates the entries to match the allowlist, in short steps. */
export class AlignSearch {
  readonly #database: SqliteDatabase;
  readonly #entries: EntryTable;
  readonly #scope: SearchScope;
  readonly #scan: RecordScan;
  readonly #hidden: HiddenEntries;
  /** The last record that was looked at. It is not stored: after a restart, the work starts again and finds the remaining records. */
  #adding = START;
  #changed: ChangeSet | null = null;

  constructor(database: SqliteDatabase, entries: EntryTable, scope: SearchScope) {
    this.#database = database;
    this.#entries = entries;
    this.#scope = scope;
    this.#scan = new RecordScan(database);
    this.#hidden = new HiddenEntries(database, scope, (id, kind, ref) => {
      entries.remove(id);
      this.#changed?.indexed(...([kind, ref] as Parameters<ChangeSet['indexed']>));
    });
  }

  /** Makes one step. `null` if the index matches the allowlist. */
  next(approved: ApprovedRepositories, changed: ChangeSet): IndexReport | null {
    this.#changed = changed;
    if (!this.#scope.limitTo(approved.refs)) return this.#scope.isSwept() ? this.#addNext(changed) : { added: 0, removed: this.#hidden.next() };
    this.restart();
    if (!this.#scope.isSwept()) this.#hidden.prepare();
    return NOTHING;
  }

  /** Begins again, because the list has changed or a step has failed. */
  restart(): void {
    this.#hidden.restart();
    this.#adding = START;
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
}
