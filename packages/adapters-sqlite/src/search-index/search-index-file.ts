import {
  type ApprovedRepositories,
  type FoundPage,
  type ReadContext,
  type ScopeRef,
  type SearchQuery,
  keyOfIdentity,
  type SearchableRecord,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { HiddenEntries, SearchScope } from '../search/search-scope.js';
import { closeIndexFile } from './index-file.js';
import { type IndexedStore, IndexFill, IndexFollower } from './index-updates.js';
import { IndexedRecords } from './indexed-records.js';
import type { EntryRow } from '../search/entry-rows.js';
import { searchPage } from '../search/sqlite-search-reader.js';

/** While the index is filled, changes are asked for this often, in milliseconds: a feed may need a while to say that there are none. */
const ASKED_EVERY_MS = 500;
/** The most that an incomplete index says: its count of records may be off by a few. */
const MOST = 0.99;

interface IndexParts {
  readonly records: IndexedRecords;
  readonly scope: SearchScope;
  readonly hidden: HiddenEntries;
  readonly fill: IndexFill;
  readonly follower: IndexFollower;
}

function partsOf(database: SqliteDatabase, store: IndexedStore): IndexParts {
  const [records, scope] = [new IndexedRecords(database), new SearchScope(database)];
  const hidden = new HiddenEntries(database, scope);
  const fill = new IndexFill(database, records, store.scan);
  return { records, scope, hidden, fill, follower: new IndexFollower(database, records, fill, store) };
}

/** An open index. One step after the other brings it in line with the store and the allowlist. */
export class SearchIndexFile {
  readonly database: SqliteDatabase;
  readonly #store: IndexedStore;
  #parts: IndexParts;
  /** The number of approved records when the list was last changed; `null` if it is not known. */
  #total: number | null = null;
  #askedAt = -ASKED_EVERY_MS;
  /** The list that the entries were compared with since the file was opened. */
  #compared: ReadonlySet<ScopeRef> | null = null;

  constructor(database: SqliteDatabase, store: IndexedStore) {
    this.database = database;
    this.#store = store;
    this.#parts = partsOf(database, store);
  }

  /** The share of approved records that can be found, below 1; `null` if all can. */
  get searchable(): number | null {
    if (this.#compared !== null && !this.#parts.fill.isPending) return null;
    return this.#total === null ? 0 : Math.min(MOST, this.#parts.records.count / Math.max(1, this.#total));
  }

  /**
   * Makes the next step. Resolves with whether there may be more to do at once. What was hidden is removed first. While records are left to read, changes come in between.
   *
   * @param waitMs how long to wait for a change if there is nothing to do
   */
  async next(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    if (this.#align(approved)) return true;
    const isPending = this.#parts.fill.isPending;
    if (isPending) this.#total ??= await this.#store.scan.count(approved, context);
    if (isPending && performance.now() - this.#askedAt < ASKED_EVERY_MS) await this.#parts.fill.next(approved, context.signal);
    else if (!(await this.#parts.follower.next(approved, isPending ? 0 : waitMs, context))) {
      this.#askedAt = performance.now();
      return isPending;
    }
    return true;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage> {
    // A list that has just grown may not have reached the index yet.
    const searchable = approved.scopes.every((scope) => this.#compared?.has(scope)) ? this.searchable : (this.searchable ?? MOST);
    const source = { database: this.database, scopes: this.#parts.records.scopes, hasRecords: false };
    const nameFor = (record: SearchableRecord): string | null => this.#parts.records.names.nameFor(record);
    const recordsOf = (rows: readonly EntryRow[]) => this.#recordsOf(rows, approved, context);
    const page = await searchPage({ source, scopes: approved.scopes, nameFor, recordsOf }, query, context.signal);
    return searchable === null ? page : { ...page, searchable };
  }

  /** Reads them from the store, with one query for each kind. */
  async #recordsOf(rows: readonly EntryRow[], approved: ApprovedRepositories, context: ReadContext): Promise<readonly (SearchableRecord | null)[]> {
    const kinds = [...new Set(rows.map(({ kind }) => kind as SearchableRecord['kind']))];
    const found = await Promise.all(
      kinds.map((kind) => {
        const keys = rows.filter((row) => row.kind === kind).map(({ key }) => key);
        return this.#store.scan.byKeys(approved, kind, keys, context);
      }),
    );
    const records = new Map(found.flat().map((record) => [`${record.kind} ${keyOfIdentity(record)}`, record]));
    return rows.map(({ kind, key }) => records.get(`${kind} ${key}`) ?? null);
  }

  /** Call this when a step has failed: what its parts have in memory may not be stored. */
  renew(): void {
    this.#parts = partsOf(this.database, this.#store);
  }

  close(): void {
    closeIndexFile(this.database);
  }

  /** Stores the list, or removes hidden entries. Returns `false` if there was nothing to do. */
  #align(approved: ApprovedRepositories): boolean {
    const { scope, hidden, fill, records } = this.#parts;
    return this.database.transaction(() => {
      const isChanged = scope.limitTo(approved.scopes);
      this.#compared = new Set(approved.scopes);
      if (isChanged) {
        this.#total = null;
        fill.restart();
        hidden.start();
        return true;
      }
      if (scope.isSwept()) return false;
      hidden.next((id) => records.removeEntry(id));
      return true;
    });
  }
}
