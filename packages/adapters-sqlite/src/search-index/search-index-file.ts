import {
  type ApprovedRepositories,
  type FoundPage,
  type ReadContext,
  type RecordScan,
  type ScopeRef,
  type SearchQuery,
  keyOfIdentity,
  type SearchableRecord,
} from '@vitrine/core';
import { type SqliteDatabase, readFrom } from '../database/sqlite-database.js';
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

/** An open index. One step after the other brings it in line with the store and the allowlist. */
export class SearchIndexFile {
  readonly database: SqliteDatabase;
  readonly #records: IndexedRecords;
  readonly #scope: SearchScope;
  readonly #hidden: HiddenEntries;
  readonly #fill: IndexFill;
  readonly #follower: IndexFollower;
  readonly #scan: RecordScan;
  /** The number of approved records when the list was last changed; `null` if it is not known. */
  #total: number | null = null;
  #askedAt = -ASKED_EVERY_MS;
  /** The list that the entries were compared with since the file was opened. */
  #compared: ReadonlySet<ScopeRef> | null = null;

  constructor(database: SqliteDatabase, { scan, feed, onIndexed }: IndexedStore) {
    this.database = database;
    this.#scan = scan;
    this.#records = new IndexedRecords(database);
    this.#scope = new SearchScope(database);
    this.#hidden = new HiddenEntries(database, this.#scope, (id) => {
      this.#records.removeEntry(id);
    });
    this.#fill = new IndexFill(database, this.#records, scan);
    this.#follower = new IndexFollower(database, this.#records, this.#fill, { scan, feed, onIndexed });
  }

  /** The share of approved records that can be found, below 1; `null` if all can. */
  get searchable(): number | null {
    if (this.#compared !== null && !this.#fill.isPending) return null;
    return this.#total === null ? 0 : Math.min(MOST, this.#records.count / Math.max(1, this.#total));
  }

  /**
   * Makes the next step. Resolves with whether there may be more to do at once. What was hidden is removed first. While records are left to read, changes come in between.
   *
   * @param waitMs how long to wait for a change if there is nothing to do
   */
  async next(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    if (this.#align(approved)) return true;
    const isPending = this.#fill.isPending;
    if (isPending) this.#total ??= await this.#scan.count(approved, context);
    if (isPending && performance.now() - this.#askedAt < ASKED_EVERY_MS) await this.#fill.next(approved, context.signal);
    else if (!(await this.#follower.next(approved, isPending ? 0 : waitMs, context))) {
      this.#askedAt = performance.now();
      return isPending;
    }
    return true;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage> {
    // A list that has just grown may not have reached the index yet.
    const searchable = approved.scopes.every((scope) => this.#compared?.has(scope)) ? this.searchable : (this.searchable ?? MOST);
    const page = await this.#page(approved, query, context);
    return searchable === null ? page : { ...page, searchable };
  }

  async #page(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage> {
    const source = { database: this.database, scopes: this.#records.scopes, hasRecords: false };
    const steps = searchPage({ source, scopes: approved.scopes, nameFor: (record) => this.#records.nameFor(record) }, query);
    let records: readonly (SearchableRecord | null)[] = [];
    for (;;) {
      context.signal.throwIfAborted();
      const step = readFrom(() => steps.next(records));
      if (step.done === true) return step.value;
      records = await this.#recordsOf(step.value, approved, context);
    }
  }

  /** Reads them from the store, with one query for each kind. */
  async #recordsOf(rows: readonly EntryRow[], approved: ApprovedRepositories, context: ReadContext): Promise<readonly (SearchableRecord | null)[]> {
    const kinds = [...new Set(rows.map(({ kind }) => kind as SearchableRecord['kind']))];
    const found = await Promise.all(
      kinds.map((kind) => {
        const keys = rows.filter((row) => row.kind === kind).map(({ key }) => key);
        return this.#scan.byKeys(approved, kind, keys, context);
      }),
    );
    const records = new Map(found.flat().map((record) => [`${record.kind} ${keyOfIdentity(record)}`, record]));
    return rows.map(({ kind, key }) => records.get(`${kind} ${key}`) ?? null);
  }

  /** Call this when a step has failed. */
  forget(): void {
    this.#records.forget();
    this.#hidden.restart();
  }

  close(): void {
    closeIndexFile(this.database);
  }

  /** Stores the list, or removes hidden entries. Returns `false` if there was nothing to do. */
  #align(approved: ApprovedRepositories): boolean {
    return this.database.transaction(() => {
      const isChanged = this.#scope.limitTo(approved.scopes);
      this.#compared = new Set(approved.scopes);
      if (isChanged) {
        this.#total = null;
        this.#fill.restart();
        this.#hidden.restart();
        if (!this.#scope.isSwept()) this.#hidden.prepare();
      } else if (!this.#scope.isSwept()) this.#hidden.next();
      else return false;
      return true;
    });
  }
}
