import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApprovedRepositories, Page, ReadContext, SearchEntry, SearchPosition, SearchQuery, SearchReader } from '@vitrine/core';
import { readFrom } from '../database/sqlite-error.js';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { searchPage } from './search-page.js';

/** How long a search may keep its thread from other calls, in milliseconds. Only one read of the index may take longer. */
const SLICE_MS = 4;

/** Searches in the index of the store. Meant for a thread of its own, because a search may take some milliseconds. */
export class SqliteSearchReader implements SearchReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, { signal }: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    const steps = searchPage(this.#reading, approved.scopes, query);
    for (let sliceEnd = performance.now() + SLICE_MS; ;) {
      signal.throwIfAborted();
      const step = readFrom(() => steps.next());
      if (step.done === true) return step.value;
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}
