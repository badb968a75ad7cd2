import { type ApprovedRepositories, type Finding, type FindingQuery, type FindingReader, type ReadContext, type TimePage } from '@vitrine/core';
import { findingDocument } from '../documents/development-documents.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';

export class MongoFindingReader implements FindingReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Finding>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, findingDocument, LISTS.finding);
  }

  list(approved: ApprovedRepositories, query: FindingQuery, context: ReadContext): Promise<TimePage<Finding>> {
    return this.#list.page({ approved, query, values: fieldValues(LISTS.finding, { changeType: query.changeType, status: query.status }) }, context);
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Finding | null> {
    return scopedById(this.#reading, findingDocument, 'findings', approved, id, context);
  }
}
