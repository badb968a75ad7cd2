import type { ApprovedRepositories, ScopeRef } from '@vitrine/core';
import type { Abortable, AggregateOptions, Document, Filter } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { aggregateDocuments, findBytes, findDocuments, type FindDocumentsOptions, type FoundDocuments } from './find-documents.js';

/** A collection of records that belong to repositories. The approved set is part of every query: there is no way around it. */
export class ScopedCollection {
  readonly #collection: ReadCollection;

  constructor(collection: ReadCollection) {
    this.#collection = collection;
  }

  find(approved: ApprovedRepositories, filter: Filter<StoredDocument>, options: FindDocumentsOptions): Promise<FoundDocuments> {
    return findDocuments(this.#collection, { ...filter, repositoryRef: oneOf(approved.scopes) }, options);
  }

  /** The same as bytes. @param among the scopes to look in; those that are not approved are left out */
  findBytes(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    options: FindDocumentsOptions,
    among?: readonly ScopeRef[],
  ): Promise<readonly Uint8Array[]> {
    const scopes = among === undefined ? approved.scopes : admittedOf(approved, among);
    return findBytes(this.#collection, { ...filter, repositoryRef: oneOf(scopes) }, options);
  }

  /** What the stages of a pipeline make of what a filter finds. @param among as for {@link findBytes} */
  aggregate(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    stages: readonly Document[],
    options: AggregateOptions & Abortable,
    among: readonly ScopeRef[],
  ): Promise<FoundDocuments> {
    const scopes = admittedOf(approved, among);
    return aggregateDocuments(this.#collection, [{ $match: { ...filter, repositoryRef: oneOf(scopes) } }, ...stages], options);
  }
}

function admittedOf(approved: ApprovedRepositories, scopes: readonly ScopeRef[]): readonly ScopeRef[] {
  return scopes.filter((scope) => approved.admits(scope));
}

/** A single scope as an equality: an index that it leads is then in order without a merge. */
function oneOf(scopes: readonly ScopeRef[]): ScopeRef | { readonly $in: ScopeRef[] } {
  const [only, ...others] = scopes;
  return only !== undefined && others.length === 0 ? only : { $in: [...scopes] };
}
