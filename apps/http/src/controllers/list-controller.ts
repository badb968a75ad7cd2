import type { Instant, Page } from '@vitrine/core';
import { decodeCursor, encodeCursor, type CursorScope, type PositionCodec } from '../serving/cursor.js';
import type { Endpoint } from '../serving/router.js';
import type { PageQuery } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';
import { apiEndpoint, replyOf, wellFormed, type Call, type Composed, type ControllerContext } from './api-endpoint.js';
import type { Outcome } from '../serving/envelope.js';

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
  return apiEndpoint(route, context, (call) => pageReply(route, parts, call));
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
