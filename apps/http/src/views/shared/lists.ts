import type { Instant, Page } from '@vitrine/core';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
import type { Outcome } from '../../serving/envelope.js';
import { type CursorScope, decodeCursor, encodeCursor, type PositionCodec } from './cursors.js';
import { outcomeOf } from './endpoint.js';
import { Choice, parameter, Query, unknownValuesIn } from './parameters.js';
import { apiRoute, type ApiRoute, type Call, type Composed, type RouteFacts, type ViewContext } from './route.js';
import type { NamedSchema } from './schema.js';

const DEFAULT_LIMIT = 20;
const LIMIT = { minimum: 1, maximum: 100 } as const;

const CURSOR_SHAPE = /^[A-Za-z0-9_-]{20,512}$/;

export abstract class PageQuery extends Query {
  @parameter(
    {
      description: 'How many records a page holds at most.',
      schema: { type: 'integer', ...LIMIT, default: DEFAULT_LIMIT },
      example: 20,
      limits: LIMIT,
      filter: null,
    },
    Matches(/^([1-9]\d?|100)$/, { message: 'must be an integer from 1 to 100' }),
  )
  readonly limit?: string;

  /** Where the page begins. What it holds is checked once the filters are known. */
  @parameter(
    {
      description:
        'Continues a list: `meta.nextCursor` of the page before, unchanged, with the filters of the first request. Only `limit` may differ.',
      schema: { type: 'string', minLength: 20, maxLength: 512, pattern: CURSOR_SHAPE.source },
      code: 'INVALID_CURSOR',
      filter: null,
    },
    Matches(CURSOR_SHAPE, { message: 'must be taken unchanged from meta.nextCursor of this endpoint' }),
  )
  readonly cursor?: string;

  pageSize(): number {
    return this.limit === undefined ? DEFAULT_LIMIT : Number(this.limit);
  }
}

export class PlainPageQuery extends PageQuery {}

export interface PageInput<Position> {
  readonly limit: number;
  readonly after: Position | null;
}

export interface ListReading<Q, Item, Position> {
  readonly codec: PositionCodec<Position>;
  readonly execute: (page: PageInput<Position>, call: Call<Q>, context: ViewContext) => Promise<Composed<Page<Item, Position>>>;
}

export interface ListParts<Q, Item extends object, Position> extends ListReading<Q, Item, Position> {
  readonly schema: NamedSchema;
  /** For items that speak of the present moment: the same item at a later one. */
  readonly judgedAgain?: ((item: Item, now: Instant) => Item) | undefined;
}

/** A list of the API, which its page and its feeds read, too. */
export interface ListRoute<Q extends Query, Item, Position> extends ApiRoute<Q>, ListReading<Q, Item, Position> {}

export function listRoute<Q extends PageQuery, Item extends object, Position>({
  codec,
  execute,
  judgedAgain,
  ...facts
}: RouteFacts<Q> & ListParts<Q, Item, Position>): ListRoute<Q, Item, Position> {
  const unknownValues = unknownValuesIn(facts.query, facts.shows.at(-1) ?? facts.id);
  const route = apiRoute<Q>({
    ...facts,
    data: 'list',
    answer: async (call, context) => {
      const outcome = await pageOutcome(facts.id, { codec, execute, schema: facts.schema, judgedAgain }, call, context);
      return { ...outcome, warnings: [...outcome.warnings, ...unknownValues(call.query)] };
    },
  });
  return { ...route, codec, execute };
}

/** Reads the page of a list that a request asks for. Cursors are bound to the endpoint, its path and its filters. @param endpoint the id of its route */
export async function readPage<Q extends PageQuery, Item, Position>(
  endpoint: string,
  { codec, execute }: ListReading<Q, Item, Position>,
  call: Call<Q>,
  context: ViewContext,
) {
  const { query, params } = call;
  const scope: CursorScope = { endpoint, filters: { ...query.filters(), ...params } };
  const after = query.cursor === undefined ? null : decodeCursor(codec, scope, query.cursor);
  const answer = await execute({ limit: call.pageSize ?? query.pageSize(), after }, call, context);
  const { next } = answer.data;
  return { answer, nextCursor: next === null ? null : encodeCursor(codec, scope, next) };
}

export async function pageOutcome<Q extends PageQuery, Item extends object, Position>(
  endpoint: string,
  { schema, judgedAgain, ...reading }: ListParts<Q, Item, Position>,
  call: Call<Q>,
  context: ViewContext,
): Promise<Outcome> {
  const { answer, nextCursor } = await readPage(endpoint, reading, call, context);
  const presented = (items: readonly Item[]) => items.map((item) => schema.write(item, context.links));
  const { items } = answer.data;
  const outcome = outcomeOf(answer, presented(items), nextCursor);
  return judgedAgain === undefined ? outcome : { ...outcome, again: (now) => presented(items.map((item) => judgedAgain(item, now))) };
}

export class RecordQuery extends Query {
  @Choice('`neighbours`: also say which records are beside it in its list.', ['neighbours']) readonly include?: string;
}

export interface RecordParts<Q, Data> {
  readonly execute: (call: Call<Q>, context: ViewContext) => Promise<Composed<Data>>;
  readonly schema: NamedSchema;
  /** For data that speak of the present moment: the same data at a later one. */
  readonly judgedAgain?: (data: Data, now: Instant) => Data;
}

export function recordRoute<Q extends Query, Data extends object>({
  execute,
  judgedAgain,
  ...facts
}: RouteFacts<Q> & RecordParts<Q, Data>): ApiRoute<Q> {
  const { write } = facts.schema;
  return apiRoute({
    ...facts,
    data: 'record',
    answer: async (call, context) => {
      const answer = await execute(call, context);
      const outcome = outcomeOf(answer, write(answer.data, context.links));
      return judgedAgain === undefined ? outcome : { ...outcome, again: (now) => write(judgedAgain(answer.data, now), context.links) };
    },
  });
}
