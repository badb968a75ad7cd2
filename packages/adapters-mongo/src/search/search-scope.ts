import { isRepositoryRef, NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections, ReadCollection } from '../collections.js';
import type { Commits } from '../writers/commits.js';

/** Stands among the lists of segments, because it says what they hold. */
const SCOPE_ID = 'approved';
const LISTS = 'search_segments';

/** Whose records search is to find, and how far the entries have come. */
export interface SearchScope {
  readonly refs: readonly RepositoryRef[];
  /** Those of the refs whose records all have their entries. */
  readonly complete: readonly RepositoryRef[];
  /** Whether no other repository has entries. */
  readonly isSwept: boolean;
}

/** Remembers with the store whose records search is to find, so that a writer that died is made up for by the next. */
export class StoredScope {
  readonly #lists: ReadCollection;
  readonly #commits: Commits;

  constructor(collections: Collections, commits: Commits) {
    this.#lists = collections.of(LISTS);
    this.#commits = commits;
  }

  /** `null`: search finds the records of every repository. So does one that cannot be used: then everything has to be looked through. */
  async read(): Promise<SearchScope | null> {
    return scopeOf(await this.#lists.findOne({ _id: SCOPE_ID }));
  }

  async write({ refs, complete, isSwept }: SearchScope): Promise<void> {
    await this.#update({ $set: { repositoryRefs: [...refs], complete: [...complete], isSwept } });
  }

  async swept(): Promise<void> {
    await this.#update({ $set: { isSwept: true } });
  }

  async completed(ref: RepositoryRef): Promise<void> {
    await this.#update({ $addToSet: { complete: ref } });
  }

  async forget(): Promise<void> {
    await this.#commits.commit((into) => into(LISTS).remove({ _id: SCOPE_ID }));
  }

  async #update(change: { readonly $set: Document } | { readonly $addToSet: Document }): Promise<void> {
    await this.#commits.commit((into) => into(LISTS).update({ _id: SCOPE_ID }, change, { upsert: true }));
  }
}

/** Whether records of a scope get entries. What belongs to no repository is public. */
export function isFoundIn(scope: Pick<SearchScope, 'refs'> | null): (ref: ScopeRef) => boolean {
  if (scope === null) return () => true;
  const refs = new Set<ScopeRef>([...scope.refs, NO_REPOSITORY]);
  return (ref) => refs.has(ref);
}

function scopeOf(document: Document | null): SearchScope | null {
  const { repositoryRefs, complete, isSwept } = document ?? {};
  if (!Array.isArray(repositoryRefs) || !Array.isArray(complete)) return null;
  return { refs: repositoryRefs.filter(isRepositoryRef), complete: complete.filter(isRepositoryRef), isSwept: isSwept === true };
}
