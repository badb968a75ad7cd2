import { compareText, type ServiceReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memoryServiceReader(store: MemoryStore): ServiceReader {
  return {
    list: (context) => answerNow(context, () => store.all('service').sort((a, b) => compareText(a.key, b.key))),
    byKey: (key, context) => answerNow(context, () => store.find('service', key)),
  };
}
