import { isUnresolved, LATEST_INSTANT, NO_REPOSITORY, type Incident, type IncidentReader, type Instant } from '@vitrine/core';
import { filterOf } from '../lists/filter-of.js';
import { listPage } from '../lists/list-page.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

const MOST_UNRESOLVED = { limit: 100, after: null, from: null, to: LATEST_INSTANT } as const;

export function memoryIncidentReader(store: MemoryStore): IncidentReader {
  return {
    list: (query, context) =>
      answerNow(context, () => {
        const [passes, isShown] = [filterOf('incident', query), shownUntil(query.notAfter)];
        return listPage(store, 'incident', [NO_REPOSITORY], query, (incident) => isShown(incident) && passes(incident));
      }),
    byId: (id, context) => answerNow(context, () => store.find('incident', id)),
    unresolved: (notAfter, context) =>
      answerNow(context, () => {
        const isShown = shownUntil(notAfter);
        return listPage(store, 'incident', [NO_REPOSITORY], MOST_UNRESOLVED, (incident) => isShown(incident) && isUnresolved(incident)).items;
      }),
  };
}

/** Maintenance is announced ahead. Other incidents of the future are not shown yet. */
function shownUntil(notAfter: Instant): (incident: Incident) => boolean {
  return ({ startedAt, incidentKind }) => startedAt <= notAfter || incidentKind === 'maintenance';
}
