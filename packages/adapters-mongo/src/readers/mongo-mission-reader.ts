import { type ApprovedRepositories, type Mission, type MissionQuery, type MissionReader, type ReadContext, type TimePage } from '@vitrine/core';
import { missionDocument } from '../documents/work-documents.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { scopedById } from '../reading/single-record.js';

export class MongoMissionReader implements MissionReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Mission>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, missionDocument, LISTS.mission);
  }

  list(approved: ApprovedRepositories, query: MissionQuery, context: ReadContext): Promise<TimePage<Mission>> {
    return this.#list.page({ approved, query, values: fieldValues(LISTS.mission, { status: query.status }) }, context);
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Mission | null> {
    return scopedById(this.#reading, missionDocument, 'missions', approved, id, context);
  }
}
