import type { RecordData } from '@vitrine/pages';
import type { Endpoint } from '../../http/endpoint.js';
import type { Query } from '../../requests/query.js';
import type { PageRoute } from '../../routes/page-routes.js';
import type { Call, Composed } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { pageAddresses } from './page-addresses.js';
import type { PageContext } from './page-context.js';
import { shownRepositories } from './shown-repositories.js';

/** The page of one record. */
export function recordPageEndpoint<Q extends Query, Item>(
  route: PageRoute<Q>,
  context: PageContext,
  execute: (call: Call<Q>) => Promise<Composed<Item>>,
  render: (data: RecordData<Item>) => Promise<string>,
): Endpoint {
  const addressOf = pageAddresses(route);
  return documentEndpoint(route, context, async (call) => {
    const { data: item, dataStatus, warnings, changesAt } = await execute(call);
    const text = await render({ item, dataStatus, warnings, address: addressOf(call.query, call.params) });
    return { dataStatus, warnings, changesAt, text, repositories: shownRepositories(item) };
  });
}
