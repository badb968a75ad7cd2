import {
  isUnresolved,
  LATEST_INSTANT,
  NO_REPOSITORY,
  type Incident,
  type IncidentQuery,
  type IncidentReader,
  type Instant,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import { filterLists, MAINTENANCE, UNRESOLVED } from '../lists/list-names.js';
import { pageOfKind, type ListQuestion } from '../lists/list-page.js';
import { byKey } from './single-record.js';
import type { SqliteReading } from './sqlite-reading.js';

const MAX_UNRESOLVED = 100;

export class SqliteIncidentReader implements IncidentReader {
  readonly #reading: SqliteReading;

  constructor(reading: SqliteReading) {
    this.#reading = reading;
  }

  list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>> {
    return this.#reading.answer(context, () => pageOfKind(this.#reading, question(query, filterLists('incident', query), query.notAfter)));
  }

  byId(id: string, context: ReadContext): Promise<Incident | null> {
    return this.#reading.answer(context, () => byKey(this.#reading, 'incident', id));
  }

  unresolved(notAfter: Instant, context: ReadContext): Promise<readonly Incident[]> {
    const query = { limit: MAX_UNRESOLVED, after: null, from: null, to: LATEST_INSTANT };
    return this.#reading.answer(context, () => pageOfKind(this.#reading, question(query, [[UNRESOLVED]], notAfter)).items.filter(isUnresolved));
  }
}

/** Maintenance is planned ahead; anything else of the future is not shown yet. */
function question(
  query: ListQuestion<'incident'>['query'],
  filters: ListQuestion<'incident'>['filters'],
  notAfter: Instant,
): ListQuestion<'incident'> {
  return { kind: 'incident', scopes: [NO_REPOSITORY], query, filters, exception: { after: notAfter, list: MAINTENANCE } };
}
