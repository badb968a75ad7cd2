import {
  type Answer,
  type GetRecord,
  type ListedKind,
  type ListedRecord,
  type ListRecords,
  nameOfRef,
  type Neighbours,
  neighboursOf,
  type Page,
  type PlainKind,
  positionOf,
  type ReadListPage,
  type RecordOf,
  type ViewOf,
} from '@vitrine/core';
import type { Currency, ListAddress, ListData, RecordData } from '@vitrine/pages';
import { decodeCursor, encodeCursor, type PositionCodec, timeCodec } from '../../serving/cursor.js';
import type { Endpoint } from '../../serving/router.js';
import { type Call, type Composed, documentEndpoint } from './endpoint.js';
import { ANY, filtersOf, listAddresses, pageAddresses, type PageContext, PageParts, type PageRoute, shownRepositories } from './page.js';
import type { PageQuery, Query } from './query.js';
import type { KindQuery, PageInput } from './records.js';

interface ListPageParts<Q, Item, Position> {
  readonly codec: PositionCodec<Position>;
  readonly execute: (page: PageInput<Position>, call: Call<Q>) => Promise<Composed<Page<Item, Position>>>;
  readonly render: (data: ListData<Item>) => Promise<string>;
}

/** One page of a list, by the cursors of the API. */
export function listPageEndpoint<Q extends PageQuery, Item, Position>(
  route: PageRoute<Q>,
  context: PageContext,
  { codec, execute, render }: ListPageParts<Q, Item, Position>,
): Endpoint {
  const read = listReader(route, codec, execute);
  const filters = filtersOf(route.query);
  return documentEndpoint(route, context, async (call) => {
    const { items, address, currency, changesAt } = await read(call);
    const known = { repository: repositoriesOf(call) };
    const text = await render({ ...currency, items, address, filters: filters(call.query), known });
    return { ...currency, changesAt, text, repositories: shownRepositories(items) };
  });
}

/** The approved repositories, for a filter. An answer is made again when they change. */
function repositoriesOf(call: Call<unknown>) {
  return [...new Set(call.context().approved.refs.map(nameOfRef))].sort().map((value) => ({ value, label: value }));
}

export interface ReadList<Item> {
  readonly items: readonly Item[];
  readonly address: ListAddress;
  readonly currency: Currency;
  readonly changesAt: number | null;
}

/** Reads the page of a list that a cursor names. */
export function listReader<Q extends PageQuery, Item, Position>(
  route: PageRoute<Q>,
  codec: PositionCodec<Position>,
  execute: (page: PageInput<Position>, call: Call<Q>) => Promise<Composed<Page<Item, Position>>>,
): (call: Call<Q>) => Promise<ReadList<Item>> {
  const addressOf = listAddresses(route);
  return async (call) => {
    const { query, params } = call;
    const scope = { endpoint: route.id, filters: { ...query.filters(), ...params } };
    const after = query.cursor === undefined ? null : decodeCursor(codec, scope, query.cursor);
    const { data, dataStatus, warnings, changesAt } = await execute({ limit: call.pageSize ?? query.pageSize(), after }, call);
    const address = addressOf(query, params, data.next === null ? null : encodeCursor(codec, scope, data.next));
    return { items: data.items, address, currency: { dataStatus, warnings }, changesAt };
  };
}

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

interface KindPages<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly list: readonly [PageRoute<Q>, ListRecords<Kind>, (data: ListData<ViewOf<RecordOf<Kind>>>) => Promise<string>];
  readonly record: readonly [
    PageRoute,
    GetRecord<Kind>,
    (data: RecordData<ViewOf<RecordOf<Kind>>>, parts: PageParts, call: Call<Query>) => Promise<string>,
  ];
}

/** The list of a kind, and one record of it. */
export function kindPages<Kind extends PlainKind, Q extends KindQuery<Kind>>(
  context: PageContext,
  { list, record }: KindPages<Kind, Q>,
): readonly Endpoint[] {
  const [listRoute, listRecords, renderList] = list;
  const [recordRoute, getRecord, renderRecord] = record;
  return [
    listPageEndpoint(listRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listRecords.execute({ from: null, to: null, ...query.filters(), ...page }, own()),
      render: renderList,
    }),
    recordPageEndpoint(recordRoute, context, {
      execute: ({ params, context: own }) => getRecord.execute({ id: params['id'] ?? '' }, own()),
      listOf: ({ record, repository }, call) =>
        neighboursIn(
          record,
          (item: ViewOf<RecordOf<Kind>>) => item.record,
          (signal) => (page) => listRecords.execute({ ...ANY, ...page, repository: repository?.fullName ?? null }, { ...call.context(), signal }),
        ),
      render: renderRecord,
    }),
  ];
}
