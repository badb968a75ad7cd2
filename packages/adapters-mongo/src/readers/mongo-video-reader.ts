import { type ApprovedRepositories, type ReadContext, type TimePage, type Video, type VideoQuery, type VideoReader } from '@vitrine/core';
import { videoDocument } from '../documents/content-documents.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';

export class MongoVideoReader implements VideoReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Video>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, videoDocument, LISTS.video);
  }

  list(approved: ApprovedRepositories, query: VideoQuery, context: ReadContext): Promise<TimePage<Video>> {
    return this.#list.page({ approved, query, values: fieldValues(LISTS.video, { source: query.source }) }, context);
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Video | null> {
    return scopedById(this.#reading, videoDocument, 'videos', approved, id, context);
  }
}
