import type { ApprovedRepositories, ReadContext, TimePage, Video, VideoQuery, VideoReader } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { isOfKind } from '../records/listed-kinds.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryVideoReader implements VideoReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: VideoQuery, context: ReadContext): Promise<TimePage<Video>> {
    const filters = [present('source', query.source)];
    return answerNow(context, () => pageOfKind(this.#store, 'video', { scopes: approved.scopes, query, filters }));
  }

  byId(approved: ApprovedRepositories, id: string, context: ReadContext): Promise<Video | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('video').ids.find(id, (scope) => approved.admits(scope));
      return isOfKind('video', found) ? found : null;
    });
  }
}
