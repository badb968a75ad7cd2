import { compareText, nameOfRef, pageOf, type RepositoryReader } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { repositoriesOf } from '../repositories-of.js';
import { answerNow } from './answer-now.js';

export function memoryRepositoryReader(store: MemoryStore): RepositoryReader {
  return {
    list: (approved, { limit, after }, context) =>
      answerNow(context, () => {
        // Approved refs are sorted by name.
        const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
        const found = [...repositoriesOf(store, refs).values()].slice(0, limit + 1);
        return pageOf(found, limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
      }),
    byRefs: (approved, refs, context) =>
      answerNow(context, () => {
        const admitted = refs.filter((ref) => approved.admits(ref));
        return [...repositoriesOf(store, admitted).values()];
      }),
  };
}
