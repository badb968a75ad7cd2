import { startOfDay, type ActivityDay, type ActivityReader, type Instant } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memoryActivityReader(store: MemoryStore): ActivityReader {
  return {
    days: (approved, { from, to }, context) =>
      answerNow(context, () => {
        const days = new Map<Instant, ActivityDay>();
        for (const kind of ['commit', 'release'] as const)
          for (const { record, position } of store.list(kind)) {
            if (position.time < from || position.time > to || !approved.admits(record.repositoryRef)) continue;
            const day = startOfDay(position.time);
            const { commits, releases } = days.get(day) ?? { commits: 0, releases: 0 };
            days.set(day, { day, commits: commits + Number(kind === 'commit'), releases: releases + Number(kind === 'release') });
          }
        return [...days.values()];
      }),
  };
}
