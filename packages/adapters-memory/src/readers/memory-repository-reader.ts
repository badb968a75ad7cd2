import {
  compareText,
  nameOfRef,
  type ApprovedRepositories,
  type NamePosition,
  type Page,
  type ReadContext,
  type Repository,
  type RepositoryQuery,
  type RepositoryReader,
  type RepositoryRef,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow } from './answer-now.js';

export class MemoryRepositoryReader implements RepositoryReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    return answerNow(context, () => {
      const refs = approved.refs;
      const found: Repository[] = [];
      for (let i = after === null ? 0 : countUpTo(refs, after.fullName); i < refs.length && found.length <= limit; i++) {
        const repository = this.#stored(refs[i]);
        if (repository !== null) found.push(repository);
      }
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items, next: found.length > limit && last !== undefined ? { fullName: nameOfRef(last.repositoryRef) } : null };
    });
  }

  byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    return answerNow(context, () => [...new Set(refs)].filter((ref) => approved.admits(ref)).flatMap((ref) => this.#stored(ref) ?? []));
  }

  #stored(ref: RepositoryRef | undefined): Repository | null {
    return ref === undefined ? null : this.#store.facts.repository(ref);
  }
}

/** How many of the sorted refs have a name that is not after the given one. */
function countUpTo(refs: readonly RepositoryRef[], fullName: string): number {
  let low = 0;
  let high = refs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(nameOfRef(refs[middle] ?? '/'), fullName) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
