import { compareText, nameOfRef, type CommitReader } from '@vitrine/core';
import { filterOf } from '../lists/filter-of.js';
import { listPage } from '../lists/list-page.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

/** Enough to tell a caller that a prefix is ambiguous. */
const MAX_SHAS = 2;

export function memoryCommitReader(store: MemoryStore): CommitReader {
  return {
    list: (approved, query, context) => answerNow(context, () => listPage(store, 'commit', approved.refs, query, filterOf('commit', query))),
    bySha: (approved, prefix, context) =>
      answerNow(context, () => {
        const found = store.all('commit').filter(({ sha, repositoryRef }) => sha.startsWith(prefix) && approved.admits(repositoryRef));
        found.sort((a, b) => compareText(a.sha, b.sha) || compareText(nameOfRef(a.repositoryRef), nameOfRef(b.repositoryRef)));
        // Several repositories may have the same commit.
        return found.filter(({ sha }, index) => sha !== found[index - 1]?.sha).slice(0, MAX_SHAS);
      }),
  };
}
