import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isSearchable,
  type ApprovedRepositories,
  type FoundPage,
  type ReadContext,
  type SearchableRecord,
  type SearchQuery,
  type SearchReader,
} from '@vitrine/core';
import { readFrom } from '../database/sqlite-database.js';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import type { EntryRow } from './entry-rows.js';
import { RepositoryNames } from './repository-names.js';
import { searchPage } from './search-page.js';

/** How long a search may keep its thread from other calls, in milliseconds. Only one read of the index may take longer. */
const SLICE_MS = 4;

/** Searches in the index of the store. Meant for a separate thread, because a search may take some milliseconds. */
export class SqliteSearchReader implements SearchReader {
  constructor(private readonly reading: SqliteReading) {}

  async search({ scopes: searched }: Pick<ApprovedRepositories, 'scopes'>, query: SearchQuery, { signal }: ReadContext): Promise<FoundPage> {
    const { database, scopes } = this.reading;
    const names = new RepositoryNames(database);
    const source = { database, scopes, hasRecords: true };
    const steps = searchPage({ source, scopes: searched, nameFor: (record) => names.nameFor(record) }, query);
    let records: readonly (SearchableRecord | null)[] = [];
    for (let sliceEnd = performance.now() + SLICE_MS; ;) {
      signal.throwIfAborted();
      const step = readFrom(() => steps.next(records));
      if (step.done === true) return step.value;
      records = step.value.map((row) => this.#recordOf(row));
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  #recordOf(row: EntryRow): SearchableRecord | null {
    const record = this.reading.decoder.record(row.kind as SearchableRecord['kind'], row);
    return record !== null && isSearchable(record) ? record : null;
  }
}
