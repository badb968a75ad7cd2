import type { ApprovedRepositories, ScopeRef } from '@vitrine/core';
import type { Abortable, AggregateOptions, Collection, Document, Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { aggregateDocuments, findBytes, findDocuments, type FindDocumentsOptions, type FoundDocuments } from './find-documents.js';
import type { OperationOptions } from './read-from.js';

/** One of several queries that one command asks. */
export interface QueryInTurn {
  /** What the documents it finds say in `turn`. */
  readonly turn: number;
  readonly filter: Filter<StoredDocument>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

export interface FindInTurnOptions extends OperationOptions {
  readonly limit: number;
  readonly projection: Readonly<Record<string, 1>>;
  /** The index of the first query. The server chooses that of the others. */
  readonly hint: Readonly<Record<string, 1 | -1>>;
}

/** The field in which a found document says which of the queries found it. */
export const TURN = 'turn';

/** A collection of records that belong to repositories. The approved set is part of every query: there is no way around it. */
export class ScopedCollection {
  readonly #collection: Collection<StoredDocument>;

  constructor(collection: Collection<StoredDocument>) {
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

  /** What several queries find, one after the other, in one command: a query is run only when those before it found less than the limit. */
  async findInTurn(
    approved: ApprovedRepositories,
    queries: readonly QueryInTurn[],
    { limit, projection, ...options }: FindInTurnOptions,
  ): Promise<FoundDocuments> {
    const pipelines = queries.map(({ turn, filter, sort }) => [
      { $match: { ...filter, repositoryRef: oneOf(approved.scopes) } },
      { $sort: sort },
      { $limit: limit },
      { $project: { ...projection, [TURN]: { $literal: turn } } },
    ]);
    const [first, ...others] = pipelines;
    if (first === undefined) return { documents: [], damaged: new Set() };
    const coll = this.#collection.collectionName;
    const later = others.map((pipeline) => ({ $unionWith: { coll, pipeline } }));
    return aggregateDocuments(this.#collection, [...first, ...later, { $limit: limit }], options);
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
