import { LISTED_KINDS, type CollectionReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export function memoryCollectionReader(store: MemoryStore): CollectionReader {
  return {
    commitBranches: (ref, context) =>
      answerNow(context, () => {
        const commits = store.all('commit').filter(({ repositoryRef }) => repositoryRef === ref);
        return new Map(commits.map(({ sha, branch }) => [sha, branch]));
      }),
    releaseIds: (ref, context) =>
      answerNow(context, () => {
        const releases = store.all('release').filter(({ repositoryRef }) => repositoryRef === ref);
        return new Set(releases.map(({ id }) => id));
      }),
    sync: (id, context) => answerNow(context, () => store.find('sync', id)),
    async *records(context) {
      for (const kind of ['repository', 'service', ...LISTED_KINDS, 'sync'] as const) yield* await answerNow(context, () => store.all(kind));
      yield* await answerNow(context, () => store.checks.records());
    },
  };
}
