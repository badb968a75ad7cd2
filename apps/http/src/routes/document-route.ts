import type { Query } from '../requests/query.js';
import type { ApiRoute } from './route.js';

/** The facts that a document shares with the endpoint whose records it shows. */
type SharedFacts<Q extends Query> = Pick<
  ApiRoute<Q>,
  'id' | 'path' | 'pathParameters' | 'query' | 'cache' | 'holdsRepositories' | 'isVital' | 'isKeptApart' | 'shows' | 'isSearch' | 'budgetMs'
>;

/** An address outside `/api/v1` whose answers are made from records: a page, a feed or a badge. */
export interface DocumentRoute<Q extends Query = Query> extends SharedFacts<Q> {
  readonly kind: 'document';
  /** The media type with its charset. */
  readonly type: string;
  /** Further request headers on which the answer depends, beside `Accept-Encoding`. */
  readonly vary?: string;
  /** Parameters of the query that are dropped like unknown ones. */
  readonly ignores?: readonly string[];
}

export const HTML = 'text/html; charset=utf-8';

const API_PREFIX = /^\/api\/v1(?:\/development)?/;

/**
 * A document that shows what an endpoint of the API answers: with its parameters, its cache policy and its permission. By default it is a page, and its path
 * is the one of the endpoint without `/api/v1` and `/development`.
 */
export function documentOf<Q extends Query>(route: ApiRoute<Q>, differences: Partial<DocumentRoute<Q>> = {}): DocumentRoute<Q> {
  const { id, pathParameters, query, cache, holdsRepositories, isVital, isKeptApart, shows, isSearch, budgetMs } = route;
  const facts = { id, pathParameters, query, cache, holdsRepositories, isVital, isKeptApart, shows, isSearch, budgetMs };
  return { ...facts, kind: 'document', type: HTML, path: route.path.replace(API_PREFIX, ''), ...differences };
}
