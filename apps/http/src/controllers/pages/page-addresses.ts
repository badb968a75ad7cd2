import type { ListAddress, PageAddress } from '@vitrine/pages';
import type { PathValues } from '../../serving/router.js';
import { parametersOf } from '../../requests/parameter.js';
import type { Query } from '../../requests/query.js';
import type { PageRoute } from '../../routes/page-routes.js';
import { questionsOf } from '../question.js';

/** Where a page and its JSON are. */
export function pageAddresses<Q extends Query>(route: PageRoute<Q>): (query: Q, params: PathValues) => PageAddress {
  const [page, json] = [questionsOf(route), questionsOf(route.endpoint)];
  return (query, params) => ({ path: page(query, params).address.target, json: json(query, params).address.target });
}

/** Where a page of a list, its JSON and the other pages are. */
export function listAddresses<Q extends Query>(route: PageRoute<Q>): (query: Q, params: PathValues, nextCursor: string | null) => ListAddress {
  const [addressOf, page] = [pageAddresses(route), questionsOf(route)];
  return (query, params, nextCursor) => {
    const question = page(query, params);
    const isFirst = !('cursor' in query) || query.cursor === undefined;
    const next = nextCursor === null ? null : question.pageAt(nextCursor);
    return { ...addressOf(query, params), next, first: isFirst ? null : withoutCursor(question.address.target) };
  };
}

/** The canonical address has the cursor at its end. */
function withoutCursor(target: string): string {
  return target.replace(/[?&]cursor=[\w-]*$/, '');
}

/** The filters that are set, by their parameters. */
export function filtersOf<Q extends Query>(queryClass: new () => Q): (query: Q) => Readonly<Record<string, string>> {
  const names = parametersOf(queryClass).flatMap(({ name }) => (name === 'cursor' || name === 'limit' ? [] : name));
  return (query) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value: unknown = Reflect.get(query, name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
}
