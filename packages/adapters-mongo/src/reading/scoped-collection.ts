import type { ApprovedRepositories, ScopeRef } from '@vitrine/core';
import type { Abortable, AggregateOptions, Document, Filter } from 'mongodb';
import type { ReadCollection } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';
import {
  aggregateDocuments,
  findBytes,
  findDocuments,
  type FindBytesOptions,
  type FindDocumentsOptions,
  type FoundDocuments,
} from './find-documents.js';

/** A collection of records that belong to repositories. Every query contains the approved set, and no caller can leave it out. */
export class ScopedCollection {
  readonly #collection: ReadCollection;

  constructor(collection: ReadCollection) {
    this.#collection = collection;
  }

  find(approved: ApprovedRepositories, filter: Filter<StoredDocument>, options: FindDocumentsOptions): Promise<FoundDocuments> {
    return findDocuments(this.#collection, { ...filter, repositoryRef: oneOf(approved.scopes) }, options);
  }

  /** The same, but returns bytes. @param among the scopes to read; those that are not approved are ignored */
  findBytes(
    approved: ApprovedRepositories,
    filter: Filter<StoredDocument>,
    options: FindBytesOptions,
    among?: readonly ScopeRef[],
  ): Promise<readonly Uint8Array[]> {
    const scopes = among === undefined ? approved.scopes : admittedOf(approved, among);
    return findBytes(this.#collection, { ...filter, repositoryRef: oneOf(scopes) }, options);
  }

  /** Applies the stages of a pipeline to the documents that match a filter. @param among as for {@link findBytes} */
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

/** A single scope becomes an equality condition: an index that starts with it then needs no merge to be in order. */
function oneOf(scopes: readonly ScopeRef[]): ScopeRef | { readonly $in: ScopeRef[] } {
  const [only, ...others] = scopes;
  return only !== undefined && others.length === 0 ? only : { $in: [...scopes] };
}
