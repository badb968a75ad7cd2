import { compareText, CONFIGURATION_PREFIX, type ConfigurationReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memoryConfigurationReader(store: MemoryStore): ConfigurationReader {
  return {
    list: (context) =>
      answerNow(context, () => {
        const found = store.all('sync').filter(({ id }) => id.startsWith(CONFIGURATION_PREFIX));
        return found.sort((a, b) => compareText(a.id, b.id));
      }),
  };
}
