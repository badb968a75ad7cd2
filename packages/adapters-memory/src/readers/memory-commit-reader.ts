import {
  compareText,
  nameOfRef,
  type ApprovedRepositories,
  type Commit,
  type CommitReader,
  type ListQuery,
  type ReadContext,
  type TimePage,
} from '@vitrine/core';
import { authorFilter, present } from '../lists/filter-keys.js';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';
import { pageOfKind } from './kind-page.js';

/** As many as tell a caller that a prefix is ambiguous. */
const MAX_SHAS = 2;

export class MemoryCommitReader implements CommitReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, query: ListQuery<'commit'>, context: ReadContext): Promise<TimePage<Commit>> {
    const author = query.author === null ? [] : authorFilter(query.author);
    const filters = [present('branch', query.branch), author, present('changeType', query.changeType)];
    return answerNow(context, () => pageOfKind(this.#store, 'commit', { scopes: approved.refs, query, filters }));
  }

  bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]> {
    return answerNow(context, () => {
      const first = new Map<string, Commit>();
      for (const commit of this.#startingWith(prefix)) {
        if (!approved.admits(commit.repositoryRef)) continue;
        const other = first.get(commit.sha);
        if (other === undefined || compareText(nameOfRef(commit.repositoryRef), nameOfRef(other.repositoryRef)) < 0) first.set(commit.sha, commit);
      }
      return [...first.values()].sort((a, b) => compareText(a.sha, b.sha)).slice(0, MAX_SHAS);
    });
  }

  #startingWith(prefix: string): Commit[] {
    const { shas } = this.#store.records.kind('commit');
    return shas.startingWith(prefix).flatMap((slot) => shas.commit(slot) ?? []);
  }
}
