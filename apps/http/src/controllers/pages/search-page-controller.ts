import type { Endpoint } from '../../serving/router.js';
import { searchCodec } from '../../serving/cursor.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import { listReader } from './list-page-endpoint.js';
import type { PageContext } from './page-context.js';
import { shownRepositories } from './shown-repositories.js';

const NOTHING_ASKED = {
  items: [],
  address: { path: '/search', json: null, next: null, first: null },
  currency: { dataStatus: 'fresh', warnings: [] },
  changesAt: null,
} as const;

/** What a search found, or a form if nothing is searched yet. */
export function searchPageController(context: PageContext): Endpoint {
  const { useCases, pages } = context;
  const read = listReader(pageRoutes.search, searchCodec, (page, { query, context: own }) =>
    useCases.search.execute({ ...query.filters(), ...page }, own()),
  );
  return documentEndpoint(pageRoutes.search, context, async (call) => {
    const { q, types } = call.query.filters();
    const { items, address, currency, changesAt } = q === '' ? NOTHING_ASKED : await read(call);
    const text = await pages.search({ ...currency, query: q, types, results: items, address });
    return { ...currency, changesAt, text, repositories: shownRepositories(items) };
  });
}
