import { compareText, NO_REPOSITORY, type ApprovedRepositories, type ReadContext, type Sync, type SyncReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export class MemorySyncReader implements SyncReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories | null, context: ReadContext): Promise<readonly Sync[]> {
    return answerNow(context, () => {
      const shown = [...this.#store.syncs.values()].filter(
        ({ repositoryRef }) => repositoryRef === NO_REPOSITORY || approved?.admits(repositoryRef) === true,
      );
      return shown.sort((a, b) => compareText(a.id, b.id));
    });
  }
}
