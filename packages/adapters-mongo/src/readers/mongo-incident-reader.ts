import {
  INCIDENT_STATES,
  isUnresolved,
  LATEST_INSTANT,
  type Incident,
  type IncidentQuery,
  type IncidentReader,
  type Instant,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { fieldValues } from '../lists/field-values.js';
import { LISTS } from '../lists/stored-lists.js';
import { TimeList } from '../lists/time-list.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { byKey } from '../reading/single-record.js';
import { DOCUMENTS } from '../documents/record-documents.js';

const MAX_UNRESOLVED = 100;
const UNRESOLVED = INCIDENT_STATES.filter((state) => isUnresolved({ state }));

export class MongoIncidentReader implements IncidentReader {
  readonly #reading: MongoReading;
  readonly #list: TimeList<Incident>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#list = new TimeList(reading, DOCUMENTS.incident, LISTS.incident);
  }

  list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>> {
    const { service, state, covers, kind, notAfter } = query;
    const values = fieldValues(LISTS.incident, { service, state, covers, kind });
    return this.#list.page({ approved: null, query, values, also: due(notAfter) }, context);
  }

  byId(id: string, context: ReadContext): Promise<Incident | null> {
    return byKey(this.#reading, DOCUMENTS.incident, 'incidents', id, context);
  }

  async unresolved(notAfter: Instant, context: ReadContext): Promise<readonly Incident[]> {
    const query = { limit: MAX_UNRESOLVED, after: null, from: null, to: LATEST_INSTANT };
    const values = fieldValues(LISTS.incident, { service: null, state: UNRESOLVED, covers: null, kind: null });
    const page = await this.#list.page({ approved: null, query, values, also: due(notAfter) }, context);
    return page.items;
  }
}

/** Maintenance is planned ahead; anything else of the future is not shown yet. */
function due(notAfter: Instant): Filter<StoredDocument> {
  return { $or: [{ startedAt: { $lte: new Date(notAfter) } }, { incidentKind: 'maintenance' }] };
}
