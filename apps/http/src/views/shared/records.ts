import type { GetRecord, Instant, ListFilters, ListRecords, Page, PlainKind, RecordOf, ScopedListInput, ViewOf } from '@vitrine/core';
import { type CursorScope, decodeCursor, encodeCursor, type PositionCodec, timeCodec } from '../../serving/cursor.js';
import type { Outcome } from '../../serving/envelope.js';
import type { Endpoint, PathValues } from '../../serving/router.js';
import { apiEndpoint, type Call, type Composed, type ControllerContext, replyOf, wellFormed } from './endpoint.js';
import { type NeighbourList, neighbourListOf, readNeighbours } from './neighbours.js';
import { unknownValuesIn } from './parameters.js';
import { naming, repositoriesIn } from './present.js';
import type { PageQuery, Query, RecordQuery, TimeRange } from './query.js';
import type { ApiRoute } from './route.js';

/** What a list's use case takes beside its filters. */
export interface PageInput<Position> {
  readonly limit: number;
  readonly after: Position | null;
}

/** How a list is read, continued and shown. */
export interface ListParts<Q, Item, Position> {
  readonly codec: PositionCodec<Position>;
  readonly execute: (page: PageInput<Position>, call: Call<Q>) => Promise<Composed<Page<Item, Position>>>;
  readonly present: (item: Item) => unknown;
  /** For items that speak of the present moment: the same item at a later one. */
  readonly judgedAgain?: (item: Item, now: Instant) => Item;
}

/** Answers one page of a list. */
export function listController<Q extends PageQuery, Item, Position>(
  route: ApiRoute<Q>,
  context: ControllerContext,
  parts: ListParts<Q, Item, Position>,
): Endpoint {
  const unknownValues = unknownValuesIn(route.query, route.shows.at(-1) ?? route.id);
  const execute: typeof parts.execute = async (page, call) => {
    const answer = await parts.execute(page, call);
    return { ...answer, warnings: [...answer.warnings, ...unknownValues(call.query)] };
  };
  return apiEndpoint(route, context, (call) => pageReply(route, { ...parts, execute }, call));
}

/** One page, for controllers that choose among several lists. Cursors are bound to the endpoint, its path and its filters. */
export async function pageReply<Q extends PageQuery, Item, Position>(
  route: ApiRoute<Q>,
  { codec, execute, present, judgedAgain }: ListParts<Q, Item, Position>,
  call: Call<Q>,
): Promise<Outcome> {
  const { query, params } = call;
  wellFormed(route, params);
  const scope: CursorScope = { endpoint: route.id, filters: { ...query.filters(), ...params } };
  const after = query.cursor === undefined ? null : decodeCursor(codec, scope, query.cursor);
  const answer = await execute({ limit: call.pageSize ?? query.pageSize(), after }, call);
  const { items, next } = answer.data;
  const reply = replyOf(route, answer, items.map(present), next === null ? null : encodeCursor(codec, scope, next));
  return judgedAgain === undefined ? reply : { ...reply, again: (now) => items.map((item) => present(judgedAgain(item, now))) };
}

/** Answers one record. Malformed ids give 404. @param judgedAgain for data that speak of the present moment: the same data at a later one */
export function recordController<Q extends Query, Data>(
  route: ApiRoute<Q>,
  context: ControllerContext,
  execute: (params: PathValues, call: Call<Q>) => Promise<Composed<Data>>,
  present: (data: Data, answer: Composed<Data>) => unknown,
  judgedAgain?: (data: Data, now: Instant) => Data,
): Endpoint {
  return apiEndpoint(route, context, async (call) => {
    const answer = await execute(wellFormed(route, call.params), call);
    const reply = replyOf(route, answer, present(answer.data, answer));
    return judgedAgain === undefined ? reply : { ...reply, again: (now) => present(judgedAgain(answer.data, now), answer) };
  });
}

interface ListedRecord<Item> {
  readonly list: NeighbourList<Item>;
  readonly present: (item: Item) => { readonly href: string };
}

/** A record that stands in a list, on demand with the addresses of its neighbours. Its own address stays the last member. */
export async function presentListed<Item>({ list, present }: ListedRecord<Item>, item: Item, call: Call<RecordQuery>): Promise<object> {
  if (call.query.include === undefined) return present(item);
  const { href, ...body } = present(item);
  const { older, newer } = await readNeighbours(list, item, call);
  const [before, after] = [older && present(older), newer && present(newer)];
  const neighbours = { older: before && before.href, newer: after && after.href };
  return { ...body, neighbours: naming(neighbours, ...repositoriesIn([before, after])), href };
}

/** Answers one record that stands in a list. */
export function listedRecordController<Item>(
  route: ApiRoute<RecordQuery>,
  context: ControllerContext,
  { execute, ...parts }: ListedRecord<Item> & { readonly execute: (params: PathValues, call: Call<RecordQuery>) => Promise<Composed<Item>> },
): Endpoint {
  return recordController(
    route,
    context,
    async (params, call) => {
      const answer = await execute(params, call);
      return { ...answer, data: await presentListed(parts, answer.data, call) };
    },
    (body) => body,
  );
}

/** A query whose filters are those of the kind's list. Not every list can be asked for a time range. */
export interface KindQuery<Kind extends PlainKind> extends PageQuery {
  filters(): Pick<ScopedListInput, 'repository'> & ListFilters<Kind> & Partial<TimeRange>;
}

interface KindParts<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly list: readonly [ApiRoute<Q>, ListRecords<Kind>];
  readonly get: readonly [ApiRoute<RecordQuery>, GetRecord<Kind>];
  readonly present: (view: ViewOf<RecordOf<Kind>>) => { readonly href: string };
}

/** The list of a kind, and one record of it. */
export function kindControllers<Kind extends PlainKind, Q extends KindQuery<Kind>>(
  context: ControllerContext,
  { list: [listRoute, listRecords], get: [getRoute, getRecord], present }: KindParts<Kind, Q>,
): readonly Endpoint[] {
  return [
    listController(listRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listRecords.execute({ from: null, to: null, ...query.filters(), ...page }, own()),
      present,
    }),
    listedRecordController(getRoute, context, {
      execute: ({ id = '' }, call) => getRecord.execute({ id }, call.context()),
      list: neighbourListOf<ViewOf<RecordOf<Kind>>>(listRecords),
      present,
    }),
  ];
}
