import { type News, type NewsQuery, type NewsReader, type ReadContext, type TimePage } from '@vitrine/core';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { byKey } from '../reading/single-record.js';
import { DOCUMENTS } from '../documents/record-documents.js';

export class MongoNewsReader implements NewsReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<News>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, DOCUMENTS.news, LISTS.news);
  }

  list(query: NewsQuery, context: ReadContext): Promise<TimePage<News>> {
    return this.#list.page({ approved: null, query, values: fieldValues(LISTS.news, { source: query.source }) }, context);
  }

  byId(id: string, context: ReadContext): Promise<News | null> {
    return byKey(this.#reading, DOCUMENTS.news, 'news', id, context);
  }
}
