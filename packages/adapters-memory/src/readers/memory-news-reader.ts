import { NO_REPOSITORY, isOfKind, type News, type NewsQuery, type NewsReader, type ReadContext, type TimePage } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryNewsReader implements NewsReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(query: NewsQuery, context: ReadContext): Promise<TimePage<News>> {
    const filters = [present('source', query.source)];
    return answerNow(context, () => pageOfKind(this.#store, 'news', { scopes: [NO_REPOSITORY], query, filters }));
  }

  byId(id: string, context: ReadContext): Promise<News | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('news').ids.find(id, () => true);
      return isOfKind('news', found) ? found : null;
    });
  }
}
