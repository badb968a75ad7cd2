import { neighboursOf, positionOf, type Answer, type ListedKind, type ListedRecord, type Neighbours, type ReadListPage } from '@vitrine/core';
import type { RecordData } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import type { Query } from '../../requests/query.js';
import type { PageRoute } from '../../routes/page-routes.js';
import type { Call, Composed } from '../api-endpoint.js';
import { documentEndpoint } from '../document-endpoint.js';
import { pageAddresses } from './page-addresses.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { shownRepositories } from './shown-repositories.js';

interface RecordPageParts<Q, Item> {
  readonly execute: (call: Call<Q>) => Promise<Composed<Item>>;
  /** The list in which the record has neighbours; by default, the page names none. */
  readonly listOf?: (item: Item, call: Call<Q>) => NeighbourList<Item>;
  readonly render: (data: RecordData<Item>, parts: PageParts, call: Call<Q>) => Promise<string>;
}

interface NeighbourList<Item> {
  readonly kind: ListedKind;
  readonly neighbours: (signal: AbortSignal) => Promise<Answer<Neighbours<Item>>>;
}

/** The neighbours of a record in a list that is newest first. They say nothing about how current the record is. */
export function neighboursIn<Item>(
  record: ListedRecord,
  recordIn: (item: Item) => ListedRecord,
  read: (signal: AbortSignal) => ReadListPage<Item>,
): NeighbourList<Item> {
  return {
    kind: record.kind,
    neighbours: async (signal) => ({
      data: await neighboursOf(positionOf(record), (item) => positionOf(recordIn(item)), read(signal)),
      dataStatus: 'fresh',
      warnings: [],
      changesAt: null,
    }),
  };
}

/** The page of one record. */
export function recordPageEndpoint<Q extends Query, Item>(
  route: PageRoute<Q>,
  context: PageContext,
  { execute, listOf, render }: RecordPageParts<Q, Item>,
): Endpoint {
  const addressOf = pageAddresses(route);
  return documentEndpoint(route, context, async (call) => {
    const parts = new PageParts(context.deadlines, call.signal);
    const item = await parts.need(() => execute(call));
    const list = listOf?.(item, call) ?? null;
    const around = list === null ? null : await parts.read(list.kind, list.neighbours);
    const text = await render({ item, around, ...parts.currency, address: addressOf(call.query, call.params) }, parts, call);
    return { ...parts.currency, changesAt: parts.changesAt, text, repositories: shownRepositories([item, around]) };
  });
}
