import { type ApprovedRepositories, type Build, type BuildReader, type ReadContext, type TimeListQuery, type TimePage } from '@vitrine/core';
import { buildDocument } from '../documents/work-documents.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';

export class MongoBuildReader implements BuildReader {
  readonly #list: TimeList<Build>;

  constructor(reading: MongoReading) {
    this.#list = new TimeList(reading, buildDocument, LISTS.build);
  }

  list(approved: ApprovedRepositories, query: TimeListQuery, context: ReadContext): Promise<TimePage<Build>> {
    return this.#list.page({ approved, query, values: new Map() }, context);
  }
}
