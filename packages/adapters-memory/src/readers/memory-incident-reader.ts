import {
  isUnresolved,
  LATEST_INSTANT,
  NO_REPOSITORY,
  isOfKind,
  type Incident,
  type IncidentQuery,
  type IncidentReader,
  type Instant,
  type ListedRecord,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import { present, UNRESOLVED } from '../lists/filter-keys.js';
import type { ListQuestion } from '../lists/list-index.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

const MAX_UNRESOLVED = 100;

export class MemoryIncidentReader implements IncidentReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(query: IncidentQuery, context: ReadContext): Promise<TimePage<Incident>> {
    const filters = [present('state', query.state), present('service', query.service)];
    const also = notAfter(query.notAfter);
    return answerNow(context, () => pageOfKind(this.#store, 'incident', { scopes: [NO_REPOSITORY], query, filters, also }));
  }

  byId(id: string, context: ReadContext): Promise<Incident | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('incident').ids.find(id, () => true);
      return isOfKind('incident', found) ? found : null;
    });
  }

  unresolved(until: Instant, context: ReadContext): Promise<readonly Incident[]> {
    const query = { limit: MAX_UNRESOLVED, after: null, from: null, to: LATEST_INSTANT };
    const question: ListQuestion = { scopes: [NO_REPOSITORY], query, filters: [[UNRESOLVED]], also: notAfter(until) };
    return answerNow(context, () => pageOfKind(this.#store, 'incident', question).items.filter(isUnresolved));
  }
}

/** Maintenance is planned ahead; anything else of the future is not shown yet. */
function notAfter(until: Instant): (record: ListedRecord) => boolean {
  return (record) => record.kind === 'incident' && (record.startedAt <= until || record.incidentKind === 'maintenance');
}
