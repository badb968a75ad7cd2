import {
  UnavailableError,
  type ApprovedRepositories,
  type Page,
  type ReadContext,
  type SearchEntry,
  type SearchPosition,
  type SearchQuery,
} from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';

/** Runs in the thread of readers. */
export class SqliteSearchReader {
  constructor(readonly reading: SqliteReading) {}

  search(_approved: ApprovedRepositories, _query: SearchQuery, _context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    return Promise.reject(new UnavailableError('Search is not stored yet.'));
  }
}
