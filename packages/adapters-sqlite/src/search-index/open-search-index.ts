import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { keyOfIdentity } from '@vitrine/core';
import type { ApprovedRepositories, FoundPage, ReadContext, ScopeRef, SearchableRecord, SearchQuery, SearchReader } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { EntryRow } from '../search/entry-rows.js';
import { type Searched, searchPage } from '../search/sqlite-search-reader.js';
import { closeIndexFile, discardIndexFile, isDamage, openIndexFile } from './index-file.js';
import { type IndexedStore, IndexUpdates } from './index-updates.js';

/** How long the index waits for a change before it asks again, in milliseconds. */
const WAIT_MS = 10_000;
const PAUSE_MS = 1_000;

export interface SearchIndexOptions extends IndexedStore {
  /** The repositories whose records get entries. */
  readonly approved: ApprovedRepositories;
  /** Where the file of the index is; `null` for an index in memory. */
  readonly folder: string | null;
  /** Tells the databases apart whose indexes are in one folder: letters, digits and `-`. */
  readonly name: string;
  /** Called with the share of approved records that can be found, from 0 to below 1, and with `null` when all can. */
  readonly onSearchable?: (share: number | null) => void;
  /** Called if the folder cannot be used, so that the index is kept in memory. */
  readonly onFolderProblem: (error: unknown) => void;
  /** Called if the index cannot be updated at the moment, at the first failure of several. It tries again each second. */
  readonly onFailure: (error: unknown) => void;
}

/** Opens the index, fills it with the newest records first, and follows the changes of the store. It works in the calling thread, in steps of a few milliseconds. */
export function openSearchIndex(options: SearchIndexOptions): SearchIndex {
  return new FollowingIndex(options);
}

/** A search index beside a store: an index of SQLite in a separate file, which only this process uses. */
export type SearchIndex = Pick<FollowingIndex, keyof FollowingIndex>;

class FollowingIndex {
  readonly search: SearchReader = { search: (...call) => this.#file.search(...call) };
  #file: SearchIndexFile;
  readonly #closing = new AbortController();
  #approved: ApprovedRepositories;
  /** Aborted when something must be done before the next change. */
  #waiting = new AbortController();
  #isFailing = false;
  readonly #waiters = new Set<() => void>();
  #told: number | null | undefined;
  readonly #running: Promise<void>;

  constructor(private readonly options: SearchIndexOptions) {
    this.#approved = options.approved;
    this.#file = this.#opened();
    this.#running = this.#run();
  }

  /** Changes the repositories whose records get entries. */
  approve(approved: ApprovedRepositories): void {
    this.#approved = approved;
    this.#waiting.abort(new Error('The list of approved repositories has changed.'));
  }

  /** Resolves when searches find everything that was written, and only what was approved, before this call. Rejects if the caller aborts, or if the index is closed. */
  caughtUp({ signal }: ReadContext): Promise<void> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    return new Promise((resolve, reject) => {
      ended.throwIfAborted();
      ended.addEventListener('abort', () => reject(ended.reason as Error));
      this.#waiters.add(resolve);
      this.#waiting.abort(new Error('A caller waits for the search index.'));
    });
  }

  /** Resolves when everything is durable and the file is released. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The search index is closed.'));
    this.#waiting.abort(this.#closing.signal.reason);
    await this.#running;
    this.#file.close();
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#waiting = new AbortController();
      try {
        await this.#step(this.#waiting.signal);
      } catch (error) {
        if (!this.#waiting.signal.aborted) await this.#failed(error);
      }
      this.#tell();
      await nextTurn();
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    // A step that began before a caller asked may have missed what that caller wrote.
    const waiters = [...this.#waiters];
    const waitMs = waiters.length > 0 ? 0 : WAIT_MS;
    if (await this.#file.next(this.#approved, waitMs, { signal })) return;
    // After a failure, the first steps can succeed and then one can fail again.
    this.#isFailing = false;
    for (const caughtUp of waiters) if (this.#waiters.delete(caughtUp)) caughtUp();
  }

  async #failed(error: unknown): Promise<void> {
    if (!this.#isFailing) this.options.onFailure(error);
    this.#isFailing = true;
    if (isDamage(error)) {
      discardIndexFile(this.#file.database);
      this.#file = this.#opened();
    } else this.#file.renew();
    await sleep(PAUSE_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #tell(): void {
    const { searchable } = this.#file;
    const share = searchable === null ? null : Math.floor(searchable * 100) / 100;
    if (share === this.#told) return;
    this.#told = share;
    this.options.onSearchable?.(share);
  }

  #opened(): SearchIndexFile {
    const { folder, name, onFolderProblem } = this.options;
    return new SearchIndexFile(openIndexFile(folder, name, onFolderProblem), this.options);
  }
}

/** While the index is filled, changes are asked for this often, in milliseconds: a feed may need a while to say that there are none. */
const ASKED_EVERY_MS = 500;
/** The most that an incomplete index says: its count of records may be off by a few. */
const MOST = 0.99;

/** An open index. One step after the other brings it in line with the store and the allowlist. */
export class SearchIndexFile {
  #updates: IndexUpdates;
  /** The number of approved records when the list was last changed; `null` if it is not known. */
  #total: number | null = null;
  #askedAt = -ASKED_EVERY_MS;
  /** Whether the changes of the store were read since the file was opened, and since the last failure. */
  #isCurrent = false;
  /** The list that the entries were compared with since the file was opened. */
  #compared: ReadonlySet<ScopeRef> | null = null;

  constructor(
    readonly database: SqliteDatabase,
    private readonly store: IndexedStore,
  ) {
    this.#updates = new IndexUpdates(database, store);
  }

  /** The share of approved records that can be found, below 1; `null` if all can. */
  get searchable(): number | null {
    if (this.#compared !== null && !this.#updates.isFilling) return this.#isCurrent ? null : MOST;
    return this.#total === null ? 0 : Math.min(MOST, this.#updates.records.count / Math.max(1, this.#total));
  }

  /** Makes the next step: hidden entries are removed first. Resolves with whether there may be more to do at once. @param waitMs how long to wait for a change if there is nothing to do */
  async next(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    if (this.#align(approved)) return true;
    const { isFilling } = this.#updates;
    if (isFilling) this.#total ??= await this.store.scan.count(approved, context);
    const isToFollow = !isFilling || performance.now() - this.#askedAt >= ASKED_EVERY_MS;
    if (isToFollow) return this.#follow(approved, isFilling || !this.#isCurrent ? 0 : waitMs, context);
    await this.#updates.fillNext(approved, context.signal);
    return true;
  }

  async #follow(approved: ApprovedRepositories, waitMs: number, context: ReadContext): Promise<boolean> {
    const mayBeMore = await this.#updates.followNext(approved, waitMs, context);
    this.#isCurrent = true;
    if (mayBeMore) return true;
    this.#askedAt = performance.now();
    return this.#updates.isFilling;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage> {
    // A list that has just grown may not have reached the index yet.
    const searchable = approved.scopes.every((scope) => this.#compared?.has(scope)) ? this.searchable : (this.searchable ?? MOST);
    const searched: Searched = {
      source: { database: this.database, scopes: this.#updates.records.scopes, hasRecords: false },
      scopes: approved.scopes,
      nameFor: (record) => this.#updates.records.entries.names.nameFor(record),
      recordsOf: (rows) => this.#recordsOf(rows, approved, context),
    };
    const page = await searchPage(searched, query, context.signal);
    return searchable === null ? page : { ...page, searchable };
  }

  /** Reads them from the store, with one query for each kind. */
  async #recordsOf(rows: readonly EntryRow[], approved: ApprovedRepositories, context: ReadContext): Promise<readonly (SearchableRecord | null)[]> {
    const kinds = [...new Set(rows.map(({ kind }) => kind as SearchableRecord['kind']))];
    const found = await Promise.all(
      kinds.map((kind) => {
        const keys = rows.filter((row) => row.kind === kind).map(({ key }) => key);
        return this.store.scan.byKeys(approved, kind, keys, context);
      }),
    );
    const records = new Map(found.flat().map((record) => [`${record.kind} ${keyOfIdentity(record)}`, record]));
    return rows.map(({ kind, key }) => records.get(`${kind} ${key}`) ?? null);
  }

  /** Call this when a step has failed: what its parts have in memory may not be stored. */
  renew(): void {
    this.#isCurrent = false;
    this.#updates = new IndexUpdates(this.database, this.store);
  }

  close(): void {
    closeIndexFile(this.database);
  }

  /** Stores the list, or removes hidden entries. Returns `false` if there was nothing to do. */
  #align(approved: ApprovedRepositories): boolean {
    const { scope, records } = this.#updates;
    return this.database.transaction(() => {
      const isChanged = scope.limitTo(approved.scopes);
      this.#compared = new Set(approved.scopes);
      if (!isChanged) return scope.removeNext((id) => records.removeEntry(id));
      this.#total = null;
      this.#updates.restartFill();
      return true;
    });
  }
}
