import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ApprovedRepositories, ChangeFeed, FeedChange, ReadContext, RecordScan, SearchReader } from '@vitrine/core';
import { discardIndexFile, isDamage, openIndexFile } from './index-file.js';
import { SearchIndexFile } from './search-index-file.js';

/** How long the index waits for a change before it asks again, in milliseconds. */
const WAIT_MS = 10_000;
/** After an error, in milliseconds. */
const PAUSE_MS = 1_000;

export interface SearchIndexOptions {
  readonly scan: RecordScan;
  readonly feed: ChangeFeed;
  /** The repositories whose records get entries. */
  readonly approved: ApprovedRepositories;
  /** Where the file of the index is; `null` for an index in memory. */
  readonly folder: string | null;
  /** Tells the databases apart whose indexes are in one folder: letters, digits and `-`. */
  readonly name: string;
  /** Called with the share of approved records that can be found, from 0 to below 1, and with `null` when all can. */
  readonly onSearchable?: (share: number | null) => void;
  /** Called when the index has changes of approved records, and searches show them. */
  readonly onIndexed?: (changes: readonly FeedChange[]) => void;
  /** Called if the folder cannot be used, so that the index is kept in memory. */
  readonly onFolderProblem: (error: unknown) => void;
  /** Called if the index cannot be updated at the moment, at the first failure of several. It tries again each second. */
  readonly onFailure: (error: unknown) => void;
}

/** A search index beside a store: an index of SQLite in a separate file, which only this process uses. */
export interface SearchIndex {
  readonly search: SearchReader;
  /** Changes the repositories whose records get entries. */
  approve(approved: ApprovedRepositories): void;
  /** Resolves when searches find everything that was written, and only what was approved, before this call. Rejects if the caller aborts, or if the index is closed. */
  caughtUp(context: ReadContext): Promise<void>;
  /** Resolves when everything is durable and the file is released. */
  close(): Promise<void>;
}

/**
 * Opens the index, fills it with the newest records first, and follows the changes of the store from then on. It works in the calling thread, in steps of a few
 * milliseconds.
 */
export function openSearchIndex(options: SearchIndexOptions): SearchIndex {
  const index = new FollowingIndex(options);
  index.start();
  return index;
}

class FollowingIndex implements SearchIndex {
  readonly search: SearchReader = { search: (...call) => this.#file.search(...call) };
  #file: SearchIndexFile;
  readonly #closing = new AbortController();
  #approved: ApprovedRepositories;
  /** Aborted when something must be done before the next change. */
  #waiting = new AbortController();
  #isFailing = false;
  /** Callers that wait until there is nothing to do. */
  readonly #waiters = new Set<() => void>();
  #told: number | null | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: SearchIndexOptions) {
    this.#approved = options.approved;
    this.#file = this.#opened();
  }

  start(): void {
    this.#running = this.#run();
  }

  approve(approved: ApprovedRepositories): void {
    this.#approved = approved;
    this.#waiting.abort(new Error('The list of approved repositories has changed.'));
  }

  caughtUp({ signal }: ReadContext): Promise<void> {
    const ended = AbortSignal.any([signal, this.#closing.signal]);
    return new Promise((resolve, reject) => {
      ended.throwIfAborted();
      ended.addEventListener('abort', () => reject(ended.reason as Error));
      this.#waiters.add(resolve);
      this.#waiting.abort(new Error('A caller waits for the search index.'));
    });
  }

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
    // The first step does not wait, so that it is known at once whether the index is complete.
    const waitMs = this.#told === undefined || waiters.length > 0 ? 0 : WAIT_MS;
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

  /** In steps of a hundredth. */
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
