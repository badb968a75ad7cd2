import type { ApprovedRepositories, ScopeRef } from '@vitrine/core';
import type { Collection, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { findDocuments, type FindDocumentsOptions, type FoundDocuments } from './find-documents.js';

/** A part of the approved scopes. */
export interface ScopePart {
  readonly from: number;
  readonly size: number;
}

const ALL: ScopePart = { from: 0, size: Infinity };

/** A collection of records that belong to repositories. The approved set is part of every query: there is no way around it. */
export class ScopedCollection {
  readonly #collection: Collection<StoredDocument>;

  constructor(collection: Collection<StoredDocument>) {
    this.#collection = collection;
  }

  /** How many scopes a query over all of them names. */
  scopeCount(approved: ApprovedRepositories): number {
    return approved.scopes.length;
  }

  find(approved: ApprovedRepositories, filter: Filter<StoredDocument>, options: FindDocumentsOptions, part = ALL): Promise<FoundDocuments> {
    const scopes = approved.scopes.slice(part.from, part.from + part.size);
    return findDocuments(this.#collection, { ...filter, repositoryRef: oneOf(scopes) }, options);
  }
}

/** A single scope as an equality: an index that it leads is then in order without a merge. */
function oneOf(scopes: readonly ScopeRef[]): ScopeRef | { readonly $in: ScopeRef[] } {
  const [only, ...others] = scopes;
  return only !== undefined && others.length === 0 ? only : { $in: [...scopes] };
}
