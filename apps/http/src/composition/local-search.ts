import { openSearchIndex, type SearchIndex } from '@vitrine/adapters-sqlite';
import type { ApprovedRepositories, FeedChange, SearchReader } from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../serving/request.js';
import { loggedError } from './logging.js';
import type { SearchedDatabase } from './opened-store.js';

/** How often the list of approved repositories is compared, in milliseconds. */
const COMPARED_EVERY_MS = 250;

/**
 * The search of a database: an index in this process, which holds only what the process approves. It is opened as soon as it is known what is approved, and follows
 * the list and the changes of the database.
 */
export class LocalSearch {
  readonly search: SearchReader = { search: (approved, query, context) => this.#opened(approved).search.search(approved, query, context) };
  readonly #database: SearchedDatabase;
  readonly #folder: string;
  readonly #logger: Logger;
  #index: SearchIndex | null = null;
  #approved: ApprovedRepositories | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isBuilding = true;
  #onIndexed: (changes: readonly FeedChange[]) => void = () => undefined;

  /** @param folder for the file of the index */
  constructor(database: SearchedDatabase, folder: string, logger: Logger) {
    [this.#database, this.#folder, this.#logger] = [database, folder, logger];
  }

  /** Whether not all approved records can be found yet. */
  get isBuilding(): boolean {
    return this.#isBuilding;
  }

  /** @param listener hears the changes of approved records when searches show them */
  onIndexed(listener: (changes: readonly FeedChange[]) => void): void {
    this.#onIndexed = listener;
  }

  follow(approved: ApprovedSource): void {
    this.#timer = setInterval(() => {
      this.#compare(approved);
    }, COMPARED_EVERY_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#index?.close();
  }

  #compare(source: ApprovedSource): void {
    const approved = currentOf(source);
    if (approved === null || approved === this.#approved) return;
    const index = this.#opened(approved);
    this.#approved = approved;
    index.approve(approved);
  }

  #opened(approved: ApprovedRepositories): SearchIndex {
    this.#index ??= openSearchIndex({
      ...this.#database,
      approved,
      folder: this.#folder,
      onSearchable: (share) => {
        this.#told(share);
      },
      onIndexed: (changes) => {
        this.#onIndexed(changes);
      },
      onFolderProblem: (error) => {
        this.#logger.warn(
          { ...loggedError(error), folder: this.#folder },
          'the search index is kept in memory, because its folder cannot be used; set cache in vitrine.yaml to a folder that this user may write to',
        );
      },
      onFailure: (error) => {
        this.#logger.warn(loggedError(error), 'the search index cannot be updated; it is tried again each second');
      },
    });
    return this.#index;
  }

  #told(share: number | null): void {
    const isBuilding = share !== null;
    if (isBuilding !== this.#isBuilding) this.#logger.info(isBuilding ? 'the search index is being built' : 'the search index is complete');
    this.#isBuilding = isBuilding;
  }
}

/** `null` while it cannot be read. */
function currentOf(source: ApprovedSource): ApprovedRepositories | null {
  try {
    return source.current();
  } catch {
    return null;
  }
}
