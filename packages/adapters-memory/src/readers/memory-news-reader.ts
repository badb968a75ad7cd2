import { NO_REPOSITORY, type NewsReader } from '@vitrine/core';
import { filterOf } from '../lists/filter-of.js';
import { listPage } from '../lists/list-page.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memoryNewsReader(store: MemoryStore): NewsReader {
  return {
    list: (query, context) => answerNow(context, () => listPage(store, 'news', [NO_REPOSITORY], query, filterOf('news', query))),
    byId: (id, context) => answerNow(context, () => store.find('news', id)),
  };
}
