import type { Instant, Page } from '@vitrine/core';
import { decodeCursor, encodeCursor, type CursorScope, type PositionCodec } from '../../serving/cursor.js';
import type { Outcome } from '../../serving/envelope.js';
import type { Endpoint, PathValues } from '../../serving/router.js';
import { unknownValuesIn } from './parameters.js';
import type { PageQuery, Query } from './query.js';
import type { ApiRoute } from './route.js';
import { apiEndpoint, type Call, type Composed, type ControllerContext, replyOf, wellFormed } from './endpoint.js';

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
