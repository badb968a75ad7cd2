import { compareText, NO_REPOSITORY, type SyncReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memorySyncReader(store: MemoryStore): SyncReader {
  return {
    list: (approved, context) =>
      answerNow(context, () => {
        const shown = store.all('sync').filter(({ repositoryRef: ref }) => ref === NO_REPOSITORY || approved?.admits(ref) === true);
        return shown.sort((a, b) => compareText(a.id, b.id));
      }),
  };
}
