import {
  keyOfIdentity,
  type ApprovedRepositories,
  type FoundPage,
  type ReadContext,
  type RecordScan,
  type SearchableRecord,
  type SearchQuery,
} from '@vitrine/core';
import { readFrom, type SqliteDatabase } from '../database/sqlite-database.js';
import type { EntryRow } from '../search/entry-rows.js';
import { searchPage } from '../search/search-page.js';
import type { IndexedRecords } from './indexed-records.js';

type Kind = SearchableRecord['kind'];

/** Finds entries in the index, and reads their records from the store. */
export class IndexReader {
  readonly #database: SqliteDatabase;
  readonly #records: IndexedRecords;
  readonly #scan: RecordScan;

  constructor(database: SqliteDatabase, records: IndexedRecords, scan: RecordScan) {
    this.#database = database;
    this.#records = records;
    this.#scan = scan;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage> {
    const source = { database: this.#database, scopes: this.#records.scopes, hasRecords: false };
    const steps = searchPage({ source, scopes: approved.scopes, nameFor: (record) => this.#records.nameFor(record) }, query);
    let records: readonly (SearchableRecord | null)[] = [];
    for (;;) {
      context.signal.throwIfAborted();
      const step = readFrom(() => steps.next(records));
      if (step.done === true) return step.value;
      records = await this.#recordsOf(step.value, approved, context);
    }
  }

  /** One query for each kind. */
  async #recordsOf(rows: readonly EntryRow[], approved: ApprovedRepositories, context: ReadContext): Promise<readonly (SearchableRecord | null)[]> {
    const kinds = [...new Set(rows.map(({ kind }) => kind as Kind))];
    const found = await Promise.all(
      kinds.map((kind) => {
        const keys = rows.filter((row) => row.kind === kind).map(({ key }) => key);
        return this.#scan.byKeys(approved, kind, keys, context);
      }),
    );
    const records = new Map(found.flat().map((record) => [`${record.kind} ${keyOfIdentity(record)}`, record]));
    return rows.map(({ kind, key }) => records.get(`${kind} ${key}`) ?? null);
  }
}
