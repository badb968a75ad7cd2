import type { RecordKind } from '@vitrine/core';
import type { CachePolicy } from '../../serving/envelope.js';
import type { PathParameter } from './path-parameters.js';
import type { Query } from './query.js';
import type { NamedSchema } from './schema.js';

export type Tag = 'Development' | 'Repositories' | 'Content' | 'Overview' | 'Status' | 'Sources' | 'Feeds and badges' | 'Service';

interface Described {
  /** Stable name: of the operation in the OpenAPI document, and of the endpoint inside cursors. */
  readonly id: string;
  /** Template with `{name}` for each path parameter. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly PathParameter[];
}

/** An endpoint below `/api/v1`, whose answers carry the envelope. */
export interface ApiRoute<Q extends Query = Query> extends Described {
  readonly kind: 'api';
  readonly query: new () => Q;
  /** `data`: one record, or an array of one of the shapes. */
  readonly data: 'record' | 'list';
  readonly schemas: readonly [NamedSchema, ...NamedSchema[]];
  /** Whether `meta` says when the answer was made. */
  readonly isComposed: boolean;
  readonly cache: CachePolicy;
  /** Whether its answers can hold data of a repository. `false` only where the use case is not even given the allowlist. */
  readonly holdsRepositories: boolean;
  /** Critical during an outage: it never waits for other requests, and its last good answer is valid for a day. */
  readonly isVital: boolean;
  /** Whether its answers have their own memory, so that lists cannot evict them. */
  readonly isKeptApart: boolean;
  /** The kinds of stored records that can change its answers. */
  readonly shows: readonly RecordKind[];
  /** Whether its requests count as searches, of which a client may send fewer. */
  readonly isSearch: boolean;
  readonly budgetMs: number | null;
  readonly problems: readonly ('NOT_FOUND' | 'SOURCE_UNAVAILABLE')[];
}

/** An address outside `/api/v1`, without envelope. */
export interface PlainRoute extends Described {
  readonly kind: 'plain';
  readonly type: 'application/json' | 'text/plain';
  readonly schema: NamedSchema | null;
  /** Whether its answers are the same for the life of the process. */
  readonly isStatic: boolean;
  readonly hasPage?: boolean;
  /** Statuses that answer with that body, and what they mean. */
  readonly answers: Readonly<Record<string, string>>;
}

export type Route = ApiRoute | PlainRoute;

type ListFacts<Q extends Query> = Pick<ApiRoute<Q>, 'id' | 'path' | 'tag' | 'summary' | 'description' | 'query' | 'shows'> & {
  readonly schema: NamedSchema | readonly [NamedSchema, ...NamedSchema[]];
  readonly pathParameters?: readonly PathParameter[];
} & Partial<Pick<ApiRoute, 'isComposed' | 'cache' | 'holdsRepositories' | 'isVital' | 'isKeptApart' | 'isSearch' | 'budgetMs'>>;

const DEFAULTS = { isComposed: false, cache: 'record', holdsRepositories: true, isVital: false, isSearch: false, budgetMs: null } as const;

/** A list: it pages, is never missing, and may be kept for as long as records. */
export function listRoute<Q extends Query>({ schema, pathParameters = [], ...facts }: ListFacts<Q>): ApiRoute<Q> {
  const given = { ...DEFAULTS, ...facts };
  return {
    isKeptApart: given.isVital,
    ...given,
    kind: 'api',
    data: 'list',
    pathParameters,
    schemas: 'name' in schema ? [schema] : schema,
    // A record of a repository is shown beside its repository.
    shows: given.holdsRepositories ? ['repository', ...facts.shows] : facts.shows,
    problems: pathParameters.length === 0 ? ['SOURCE_UNAVAILABLE'] : ['NOT_FOUND', 'SOURCE_UNAVAILABLE'],
  };
}

/** One record, found by its path or the only one of its kind. */
export function recordRoute<Q extends Query>(facts: ListFacts<Q>): ApiRoute<Q> {
  return { ...listRoute(facts), data: 'record' };
}

/** The kinds from which the state of services is computed. */
export const STATUS_KINDS = ['service', 'check', 'status-day', 'incident'] as const satisfies readonly RecordKind[];

/** The path parameter of a route that may hold slashes. */
export function spanningParameter({ pathParameters }: Pick<Route, 'pathParameters'>): string | null {
  return pathParameters.find(({ spansSegments }) => spansSegments === true)?.name ?? null;
}

/** An address outside `/api/v1` whose answers are made from records: a page, a feed or a badge. */
export interface DocumentRoute<Q extends Query = Query> extends Omit<ApiRoute<Q>, 'kind'> {
  readonly kind: 'document';
  readonly type: string;
  /** The media type of a body, where it depends on the content. Default: `type`. */
  readonly typeOf?: (body: Buffer) => string | undefined;
  /** Further request headers on which the answer depends, beside `Accept-Encoding`. */
  readonly vary?: string;
  /** Parameters of the query that are dropped like unknown ones. */
  readonly ignores?: readonly string[];
}

export const HTML = 'text/html; charset=utf-8';
const API_PREFIX = /^\/api\/v1(?:\/development)?/;

/**
 * A document that shows what an endpoint of the API answers: with its parameters, its cache policy and its permission. By default it is a page, and its path
 * is the one of the endpoint without `/api/v1` and `/development`.
 */
export function documentOf<Q extends Query>(route: ApiRoute<Q>, differences: Partial<DocumentRoute<Q>> = {}): DocumentRoute<Q> {
  return { ...route, kind: 'document', type: HTML, path: route.path.replace(API_PREFIX, ''), ...differences };
}
