import type { Answer, ApprovedRepositories, Clock, ComposedAnswer, Deadlines, Instant, RecordKind, UseCaseContext, UseCases } from '@vitrine/core';
import type { EntryLinks } from '@vitrine/feeds';
import type { Language, Pages, SiteCopy, TextRenderer } from '@vitrine/pages';
import type { CachePolicy, Outcome } from '../../serving/envelope.js';
import type { Readiness } from '../../serving/server.js';
import type { Answers, ApprovedSource } from '../../serving/request.js';
import type { PathValues } from '../../serving/router.js';
import type { Query } from './parameters.js';
import type { PathParameter } from './path-parameters.js';
import type { Links, NamedSchema } from './schema.js';

export type Tag = 'Development' | 'Repositories' | 'Content' | 'Overview' | 'Status' | 'Sources' | 'Feeds and badges' | 'Service';

interface Described {
  /** Stable name: of the operation in the OpenAPI document, and of the endpoint inside cursors. */
  readonly id: string;
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
  answer(call: Call<Q>, context: ViewContext): Promise<Outcome>;
}

/** An address outside `/api/v1`, without envelope. */
export interface PlainRoute extends Described {
  readonly kind: 'plain';
  readonly type: 'application/json' | 'text/plain';
  readonly schema: NamedSchema | null;
  readonly hasPage?: boolean;
  /** Statuses that answer with that body, and what they mean. */
  readonly answers: Readonly<Record<string, string>>;
  /** The body, if it is the same for the life of the process. */
  readonly text?: (params: PathValues, context: PlainContext) => string;
  /** Seconds for which caches may keep it; default: 300. */
  readonly maxAge?: number;
  /** The status and the body of a health check. */
  readonly state?: (context: PlainContext) => readonly [status: 200 | 503, body: Readonly<Record<string, string>>];
}

export type Route = ApiRoute | PlainRoute;

export type RouteFacts<Q extends Query> = Pick<ApiRoute<Q>, 'id' | 'path' | 'tag' | 'summary' | 'description' | 'query' | 'shows'> & {
  readonly schema: NamedSchema | readonly [NamedSchema, ...NamedSchema[]];
  readonly pathParameters?: readonly PathParameter[];
} & Partial<Pick<ApiRoute, 'isComposed' | 'cache' | 'holdsRepositories' | 'isVital' | 'isKeptApart' | 'isSearch' | 'budgetMs'>>;

const DEFAULTS = { isComposed: false, cache: 'record', holdsRepositories: true, isVital: false, isSearch: false, budgetMs: null } as const;

export function apiRoute<Q extends Query>({
  schema,
  pathParameters = [],
  ...facts
}: RouteFacts<Q> & Pick<ApiRoute<Q>, 'data' | 'answer'>): ApiRoute<Q> {
  const given = { ...DEFAULTS, ...facts };
  return {
    isKeptApart: given.isVital,
    ...given,
    kind: 'api',
    pathParameters,
    schemas: 'name' in schema ? [schema] : schema,
    // A record of a repository is shown beside its repository.
    shows: given.holdsRepositories ? ['repository', ...facts.shows] : facts.shows,
  };
}

export const STATUS_KINDS = ['service', 'check', 'status-day', 'incident'] as const satisfies readonly RecordKind[];

export const STATUS_ANSWER = {
  tag: 'Status',
  shows: STATUS_KINDS,
  isComposed: true,
  cache: 'live',
  holdsRepositories: false,
} as const satisfies Partial<ApiRoute>;

export function spanningParameter({ pathParameters }: Pick<Route, 'pathParameters'>): string | undefined {
  return pathParameters.find(({ spansSegments }) => spansSegments === true)?.name;
}

export interface DocumentOutcome extends Omit<Outcome, 'data' | 'again' | 'nextCursor' | 'generatedAt'> {
  /** A function is not ended by the time limit of the request, so a slow machine sends the text late, and not an error. */
  readonly text: string | Buffer | (() => Promise<string>);
  /** For a text that depends on the present time: the same text for a later time. */
  readonly again?: (now: Instant) => string;
}

/** An address outside `/api/v1` whose answers are made from records: a page, a feed or a badge. */
export interface DocumentRoute<Q extends Query = Query, Context extends ViewContext = ViewContext> extends Omit<ApiRoute<Q>, 'kind' | 'answer'> {
  readonly kind: 'document';
  readonly type: string;
  /** The media type of a body, where it depends on the content. Default: `type`. */
  readonly typeOf?: (body: Buffer) => string | undefined;
  /** Further request headers on which the answer depends, beside `Accept-Encoding`. */
  readonly vary?: string;
  /** Parameters of the query that are dropped like unknown ones. */
  readonly ignores?: readonly string[];
  answer(call: Call<Q>, context: Context): Promise<DocumentOutcome>;
}

/** A document has the parameters, the cache policy and the permission of the endpoint of the API whose answer it shows, but for what differs. */
export function documentOf<Q extends Query, Context extends ViewContext = ViewContext>(
  route: ApiRoute<Q>,
  differences: Partial<DocumentRoute<Q, Context>> & Pick<DocumentRoute<Q, Context>, 'path' | 'type' | 'answer'>,
): DocumentRoute<Q, Context> {
  return { ...route, kind: 'document', ...differences };
}

export const HTML = 'text/html; charset=utf-8';

export interface ViewContext {
  readonly useCases: UseCases;
  readonly approved: ApprovedSource;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly requestBudgetMs: number;
  readonly basePath: string;
  /** The public address, with the base path and without a slash at its end. */
  readonly publicUrl: string;
  readonly links: Links;
  readonly entryLinks: EntryLinks;
  readonly title: string;
  /** The language of what people read: pages, feeds and the calendar. The API is in English. */
  readonly language: Language;
  readonly texts: TextRenderer;
  readonly hasPages: boolean;
  /** The copy of the site that is made; `null`: the site is served. */
  readonly copy: SiteCopy | null;
}

export interface PageContext extends ViewContext {
  readonly pages: Pages;
  /** Where pages lead to, which is read beside them. */
  readonly places: { readonly read: (context: UseCaseContext) => Promise<void> };
}

export interface PlainContext {
  readonly readiness: Readiness;
  /** The text of the OpenAPI document, which is made for the first request. */
  readonly openApi: () => string;
  readonly index: object;
  readonly basePath: string;
  readonly hasPages: boolean;
}

/** One request as a controller sees it: validated, with one permission for its whole length. */
export interface Call<Q> {
  readonly query: Q;
  readonly params: PathValues;
  readonly signal: AbortSignal;
  /** Everything is read: ends the time limit of the request, and lets others ask the store. */
  readonly haveRead: () => void;
  /** For use cases that read repository data. Throws an `UnavailableError` without a readable allowlist. @param signal default: that of the request */
  readonly context: (signal?: AbortSignal) => UseCaseContext;
  /** How many records a list has; `null`: as many as the query says. */
  readonly pageSize: number | null;
  readonly approvedOrNull: () => ApprovedRepositories | null;
}

export type Composed<Data> = Answer<Data> & Partial<Pick<ComposedAnswer<Data>, 'generatedAt'>>;
