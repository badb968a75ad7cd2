import { isRepositoryRef, NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections, ReadCollection } from '../collections.js';
import type { Commits } from '../writers/commits.js';

/** It is stored in the collection of segment lists, because it says which records their entries come from. */
const SCOPE_ID = 'approved';
const LISTS = 'search_segments';

/** The repositories whose records get search entries, and how far the update to this list has come. */
export interface SearchScope {
  readonly refs: readonly RepositoryRef[];
  /** The refs whose records all have entries. */
  readonly complete: readonly RepositoryRef[];
  /** Whether the entries of all other repositories are removed. */
  readonly isSwept: boolean;
}

/** Stores the scope in the database, so that the next writer can complete the work of one that died. */
export class StoredScope {
  readonly #lists: ReadCollection;
  readonly #commits: Commits;

  constructor(collections: Collections, commits: Commits) {
    this.#lists = collections.of(LISTS);
    this.#commits = commits;
  }

  /** `null`: records of every repository have entries. An invalid document is read as an incomplete scope, so that all entries are checked. */
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

/** Whether records of a scope get entries. Records that belong to no repository always do, because they are public. */
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
