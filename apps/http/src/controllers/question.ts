import { asciiLowerCase } from '@vitrine/core';
import type { Question } from '../serving/envelope.js';
import type { PathValues } from '../serving/router.js';
import { canonicalQuery, withCursor } from '../requests/canonical-query.js';
import type { Query } from '../requests/query.js';
import { pathsOf, type ApiRoute } from '../routes/route.js';

/** The facts about a route with cached answers. */
export type AskedRoute<Q extends Query> = Pick<ApiRoute<Q>, 'path' | 'pathParameters' | 'query' | 'shows' | 'isKeptApart'>;

/** Reads the requests of a route. */
export function questionsOf<Q extends Query>(route: AskedRoute<Q>): (query: Q, params: PathValues) => Question {
  const canonical = canonicalQuery(route.query);
  const pathOf = pathsOf(route);
  const names = route.pathParameters.map(({ name }) => name);
  const kinds = new Set(route.shows);
  return (query, params) => {
    const path = pathOf(...names.map((name) => params[name] ?? ''));
    const { filters, whole } = canonical(query);
    return {
      address: { target: whole === '' ? path : `${path}?${whole}`, route: route.path, isKeptApart: route.isKeptApart },
      topics: { kinds, repository: repositoryOf(query, params) },
      pageAt: (cursor) => `${path}?${withCursor(filters, cursor)}`,
    };
  };
}

/** The repository filter of a request. */
function repositoryOf(query: Query, { owner, name, fullName }: PathValues): string | null {
  const filters = query.filters();
  if ('repository' in filters && typeof filters.repository === 'string') return filters.repository;
  if (owner !== undefined && name !== undefined) return asciiLowerCase(`${owner}/${name}`);
  return fullName === undefined ? null : asciiLowerCase(fullName);
}
