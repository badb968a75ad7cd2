import type { ApprovedRepositories, ReadContext, Release, ReleaseQuery, ReleaseReader, TimePage } from '@vitrine/core';
import { present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { isOfKind } from '../records/listed-kinds.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryReleaseReader implements ReleaseReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: ReleaseQuery, context: ReadContext): Promise<TimePage<Release>> {
    const filters = [present('platform', query.platform), present('releaseType', query.releaseType)];
    return answerNow(context, () => pageOfKind(this.#store, 'release', { scopes: approved.refs, query, filters }));
  }

  byId(approved: ApprovedRepositories, idKey: string, context: ReadContext): Promise<Release | null> {
    return answerNow(context, () => {
      const found = this.#store.records.kind('release').ids.find(idKey, (scope) => approved.admits(scope));
      return isOfKind('release', found) ? found : null;
    });
  }
}
