import { compareText, type ReadContext, type Service, type ServiceReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export class MemoryServiceReader implements ServiceReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(context: ReadContext): Promise<readonly Service[]> {
    return answerNow(context, () => [...this.#store.records.services()].sort((a, b) => compareText(a.key, b.key)));
  }

  byKey(key: string, context: ReadContext): Promise<Service | null> {
    return answerNow(context, () => {
      const found = this.#store.find('service', key);
      return found?.kind === 'service' ? found : null;
    });
  }
}
