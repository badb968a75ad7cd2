import type { ApprovedRepositories, Build, BuildReader, ReadContext, TimeListQuery, TimePage } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

export class MemoryBuildReader implements BuildReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: TimeListQuery, context: ReadContext): Promise<TimePage<Build>> {
    return answerNow(context, () => pageOfKind(this.#store, 'build', { scopes: approved.refs, query, filters: [] }));
  }
}
