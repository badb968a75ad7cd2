import { openSearchIndex, type SearchIndex } from '@vitrine/adapters-sqlite';
import type { ApprovedRepositories, FeedChange, SearchReader } from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../serving/request.js';
import { loggedError } from './logging.js';
import type { SearchedDatabase } from './opened-store.js';

const COMPARED_EVERY_MS = 250;

/**
 * The search of a database: an index in this process, which holds only what the process approves. It is opened as soon as it is known what is approved, and follows
 * the list and the changes of the database.
 */
export class LocalSearch {
  readonly search: SearchReader = { search: (approved, query, context) => this.#opened(approved).search.search(approved, query, context) };
  /** Whether not all approved records can be found yet. */
  isBuilding = true;
  /** Hears the changes of approved records when searches show them. */
  onIndexed: (changes: readonly FeedChange[]) => void = () => undefined;
  #index: SearchIndex | null = null;
  #approved: ApprovedRepositories | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param folder for the file of the index */
  constructor(
    private readonly database: SearchedDatabase,
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  follow(source: ApprovedSource): void {
    this.#timer = setInterval(() => {
      const approved = currentOf(source);
      if (approved === null || approved === this.#approved) return;
      this.#approved = approved;
      this.#opened(approved).approve(approved);
    }, COMPARED_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#index?.close();
  }

  #opened(approved: ApprovedRepositories): SearchIndex {
    const { database, folder, logger } = this;
    this.#index ??= openSearchIndex({
      ...database,
      approved,
      folder,
      onSearchable: (share) => this.#told(share !== null),
      onIndexed: (changes) => this.onIndexed(changes),
      onFolderProblem: (error) => {
        logger.warn(
          { ...loggedError(error), folder },
          'the search index is kept in memory, because its folder cannot be used; set cache in vitrine.yaml to a folder that this user may write to',
        );
      },
      onFailure: (error) => logger.warn(loggedError(error), 'the search index cannot be updated; it is tried again each second'),
    });
    return this.#index;
  }

  #told(isBuilding: boolean): void {
    if (isBuilding !== this.isBuilding) this.logger.info(isBuilding ? 'the search index is being built' : 'the search index is complete');
    this.isBuilding = isBuilding;
  }
}

function currentOf(source: ApprovedSource): ApprovedRepositories | null {
  try {
    return source.current();
  } catch {
    return null;
  }
}
