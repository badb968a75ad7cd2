import type { ApprovedRepositories, Mission, MissionQuery, MissionReader, ReadContext, TimePage } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { isOfKind } from '../records/listed-kinds.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryMissionReader implements MissionReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: MissionQuery, context: ReadContext): Promise<TimePage<Mission>> {
    const filters = [present('status', query.status)];
    return answerNow(context, () => pageOfKind(this.#store, 'mission', { scopes: approved.scopes, query, filters }));
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Mission | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('mission').ids.find(id, (scope) => approved.admits(scope));
      return isOfKind('mission', found) ? found : null;
    });
  }
}
