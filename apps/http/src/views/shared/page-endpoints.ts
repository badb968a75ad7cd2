import { type ListedKind, nameOfRef, type Neighbours, type Page } from '@vitrine/core';
import { type ListAddress, type ListData, type RecordData, SAMPLED_FILTERS } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import type { Call, Composed } from './endpoint.js';
import { type PageInput, type PositionCodec, readPage } from './lists.js';
import { documentEndpoint, type Drawing } from './document.js';
import { filtersOf, listAddresses, pageAddresses, type PageContext, PageParts, type PageRoute } from './page.js';
import { parametersOf, valueIn } from './parameters.js';
import type { PageQuery, Query } from './query.js';

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
  const [read, sampleOf] = [listReader(route, codec, execute), sampleReader(route, execute)];
  const filters = filtersOf(route.query);
  return documentEndpoint(route, context, async (call) => {
    const [{ items, address, currency }, sample] = await Promise.all([read(call), sampleOf(call)]);
    const known = { repository: repositoriesOf(call) };
    const data = { ...currency, items, address, filters: filters(call.query), known, sample };
    return { ...currency, text: () => render(data), shows: [items, sample] };
  });
}

const SAMPLE = 100;
/** The filters that the sample keeps: who narrows the list finds the values of older records. */
const NARROWING = ['repository', 'from', 'to'] as const;

/** Reads the newest records in the range of a request, whose values the other filters of the page offer. */
function sampleReader<Q extends PageQuery, Item, Position>(route: PageRoute<Q>, execute: ListPageParts<Q, Item, Position>['execute']) {
  const isNeeded = parametersOf(route.query).some(({ name }) => SAMPLED_FILTERS.has(name));
  return async (call: Call<Q>): Promise<readonly Item[]> => {
    if (!isNeeded) return [];
    const kept = NARROWING.map((name) => [name, valueIn(call.query, name) ?? undefined]);
    const query: Q = Object.assign(new route.query(), Object.fromEntries(kept) as object);
    return (await execute({ limit: SAMPLE, after: null }, { ...call, query })).data.items;
  };
}

/** The approved repositories, for a filter. An answer is made again when they change. */
function repositoriesOf(call: Call<unknown>) {
  return [...new Set(call.context().approved.refs.map(nameOfRef))].sort().map((value) => ({ value, label: value }));
}

export interface ReadList<Item> {
  readonly items: readonly Item[];
  readonly address: ListAddress;
  readonly currency: PageParts['currency'];
}

/** Reads the page of a list that a cursor names. */
export function listReader<Q extends PageQuery, Item, Position>(
  route: PageRoute<Q>,
  codec: PositionCodec<Position>,
  execute: (page: PageInput<Position>, call: Call<Q>) => Promise<Composed<Page<Item, Position>>>,
): (call: Call<Q>) => Promise<ReadList<Item>> {
  const addressOf = listAddresses(route);
  return async (call) => {
    const { answer, nextCursor } = await readPage(route, { codec, execute }, call);
    const { data, dataStatus, warnings, changesAt } = answer;
    return { items: data.items, address: addressOf(call.query, call.params, nextCursor), currency: { dataStatus, warnings, changesAt } };
  };
}

interface RecordPageParts<Q, Item> {
  readonly execute: (call: Call<Q>) => Promise<Composed<Item>>;
  readonly kind: ListedKind;
  readonly neighbours: (item: Item, call: Call<Q>) => Promise<Neighbours<Item>>;
  /** Reads what else the page shows. */
  readonly render: (data: RecordData<Item>, parts: PageParts, call: Call<Q>) => Drawing | Promise<Drawing>;
}

/** Neighbours say nothing about how current a record is. */
const FRESH = { dataStatus: 'fresh', warnings: [], changesAt: null } as const;

/** The page of one record. */
export function recordPageEndpoint<Q extends Query, Item>(
  route: PageRoute<Q>,
  context: PageContext,
  { execute, kind, neighbours, render }: RecordPageParts<Q, Item>,
): Endpoint {
  const addressOf = pageAddresses(route);
  return documentEndpoint(route, context, async (call) => {
    const parts = new PageParts(context.deadlines, call.signal);
    const item = await parts.need(() => execute(call));
    const around = await parts.read(kind, async (signal) => ({ ...FRESH, data: await neighbours(item, { ...call, signal }) }));
    const text = await render({ item, around, ...parts.currency, address: addressOf(call.query, call.params) }, parts, call);
    return { ...parts.currency, text, shows: [item, around] };
  });
}
