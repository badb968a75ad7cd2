import type { ApprovedRepositories, Finding, FindingQuery, FindingReader, ReadContext, TimePage } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { isOfKind } from '../records/listed-kinds.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryFindingReader implements FindingReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: FindingQuery, context: ReadContext): Promise<TimePage<Finding>> {
    const filters = [present('status', query.status), present('changeType', query.changeType)];
    return answerNow(context, () => pageOfKind(this.#store, 'finding', { scopes: approved.refs, query, filters }));
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Finding | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('finding').ids.find(id, (scope) => approved.admits(scope));
      return isOfKind('finding', found) ? found : null;
    });
  }
}
