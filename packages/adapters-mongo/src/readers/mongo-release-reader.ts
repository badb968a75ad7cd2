import { type ApprovedRepositories, type ReadContext, type Release, type ReleaseQuery, type ReleaseReader, type TimePage } from '@vitrine/core';
import { releaseDocument } from '../documents/development-documents.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';

export class MongoReleaseReader implements ReleaseReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Release>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, releaseDocument, LISTS.release);
  }

  list(approved: ApprovedRepositories, query: ReleaseQuery, context: ReadContext): Promise<TimePage<Release>> {
    return this.#list.page(
      { approved, query, values: fieldValues(LISTS.release, { platform: query.platform, releaseType: query.releaseType }) },
      context,
    );
  }

  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<Release | null> {
    return scopedById(this.#reading, releaseDocument, 'releases', approved, idKey, context);
  }
}
