import { NO_REPOSITORY, type News, type NewsQuery, type NewsReader, type ReadContext, type TimePage } from '@vitrine/core';
import { filterLists } from '../lists/list-names.js';
import { pageOfKind } from '../lists/list-page.js';
import { byKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';

export class SqliteNewsReader implements NewsReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(query: NewsQuery, context: ReadContext): Promise<TimePage<News>> {
    const filters = filterLists('news', query);
    return this.#reading.answer(context, () => pageOfKind(this.#reading, { kind: 'news', scopes: [NO_REPOSITORY], query, filters }));
  }

  byId(id: string, context: ReadContext): Promise<News | null> {
    return this.#reading.answer(context, () => byKey(this.#reading, 'news', id));
  }
}
