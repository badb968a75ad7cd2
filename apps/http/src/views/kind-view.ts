import {
  KINDS,
  type ListedKind,
  type ListedRecord,
  type Neighbours,
  neighboursOf,
  type ListFilters,
  type Page,
  positionOf,
  type ReadContext,
  type RecordOf,
  type Repository,
  type ScopedListInput,
  type SearchType,
  type ShownKind,
  type TimePosition,
  type UseCases,
  type ViewOf,
} from '@vitrine/core';
import type { EntryLinks, FeedEntry } from '@vitrine/feeds';
import type { ListData, Pages, RecordData } from '@vitrine/pages';
import { timeCodec } from '../serving/cursor.js';
import type { CachePolicy } from '../serving/envelope.js';
import type { Endpoint } from '../serving/router.js';
import { optionalRepository, ownRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import {
  apiEndpoint,
  listController,
  replyOf,
  wellFormed,
  type Call,
  type Composed,
  type ControllerContext,
  type PageInput,
} from './shared/endpoint.js';
import { type FeedContext, feedEndpoints, type FeedRoute, feedsOf } from './shared/feed.js';
import { kindSchema } from './shared/kind-schema.js';
import { listPageEndpoint, recordPageEndpoint } from './shared/page-endpoints.js';
import { type PageContext, pageOf, type PageParts, type PageRoute } from './shared/page.js';
import type { PathParameter } from './shared/path-parameters.js';
import { type Links, recordPresenter, addressesOfRecord } from './shared/present.js';
import { type PageQuery, type Query, RecordQuery } from './shared/query.js';
import { type ApiRoute, listRoute, recordRoute, type Tag } from './shared/route.js';
import { named, type NamedSchema, nullable, optional, ownPath, pageUrl, provenanceSchema, ref, text } from './shared/schema.js';

/** The kinds whose records have an address of their own. */
type ViewedKind = Exclude<ListedKind, 'build' | 'image'>;

/** What a use case gives of a kind: the record, beside its repository if the kind can have one. */
type ItemOf<Kind extends ListedKind> = Kind extends ShownKind ? ViewOf<RecordOf<Kind>> : RecordOf<Kind>;

type ListInput<Kind extends ListedKind> = Partial<Omit<ScopedListInput, 'limit' | 'after'> & ListFilters<Kind>>;

/** A query whose filters are those of the kind's list. */
interface KindQuery<Kind extends ListedKind> extends PageQuery {
  filters(): ListInput<Kind>;
}

interface ListUseCase<Kind extends ListedKind> {
  execute(input: ListInput<Kind> & PageInput<TimePosition>, context: ReadContext): Promise<Composed<Page<ItemOf<Kind>, TimePosition>>>;
}

interface GetUseCase<Kind extends ListedKind, Reference> {
  execute(reference: Reference, context: ReadContext): Promise<Composed<ItemOf<Kind>>>;
}

/** The list of a kind. */
interface ListPart<Kind extends ListedKind, Q> {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly query: new () => Q;
  readonly use: (useCases: UseCases) => ListUseCase<Kind>;
}

/** One record of a kind. */
interface GetPart<Kind extends ListedKind, Q extends RecordQuery, Reference> {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameter: PathParameter;
  /** An id, as `href` names it. Default: the example of the parameter. */
  readonly example?: string;
  readonly query: new () => Q;
  /** The record that is asked for. Throws a `Refusal` if the path is malformed. */
  readonly reference: (call: Pick<Call<Q>, 'params' | 'query'>) => Reference;
  readonly use: (useCases: UseCases) => GetUseCase<Kind, Reference>;
  /** The cache policy of a record, if it is not that of the list. */
  readonly cache?: CachePolicy;
  /** The cache policy of a request, if not all requests have the same. */
  readonly cacheOf?: (reference: Reference) => CachePolicy;
}

type RenderRecord<Kind extends ListedKind> = (data: RecordData<ItemOf<Kind>>, parts: PageParts, call: Call<RecordQuery>) => Promise<string>;

interface PagesPart<Kind extends ListedKind> {
  readonly list: (pages: Pages) => (data: ListData<ItemOf<Kind>>) => Promise<string>;
  readonly record: (context: PageContext) => RenderRecord<Kind>;
  /** Further kinds that the page of a record shows. */
  readonly shows?: ApiRoute['shows'];
}

/** What distinguishes the view of a kind. */
interface KindParts<Kind extends ListedKind, Q, G extends RecordQuery, Reference> {
  readonly kind: Kind;
  readonly path: string;
  readonly tag: Tag;
  /** The name and the description of its schema. */
  readonly schema: readonly [name: string, description: string];
  readonly route?: Partial<Pick<ApiRoute, 'isComposed' | 'cache'>>;
  readonly list: ListPart<Kind, Q>;
  readonly get: GetPart<Kind, G, Reference>;
  readonly pages?: PagesPart<Kind>;
  /** An entry of its feeds. */
  readonly entryOf?: (item: ItemOf<Kind>, links: EntryLinks) => FeedEntry;
}

/** A get by the public id, which most kinds have. */
export const BY_ID = {
  query: RecordQuery,
  reference: ({ params }: Pick<Call<RecordQuery>, 'params'>) => ({ id: params['id'] ?? '' }),
} as const;

interface AnyView {
  readonly record: ListedRecord;
  readonly repository: Repository | null;
}

/** The record of an item, and its repository. */
function viewOf(item: ListedRecord | AnyView): AnyView {
  return 'record' in item ? item : { record: item, repository: null };
}

/** The JSON of a kind's items. It has the fields that the facts of the kind publish, and no others. */
export function itemPresenter<Kind extends ListedKind>(kind: Kind): (item: ItemOf<Kind>, links: Links, neighbours?: object) => object {
  const write = recordPresenter(kind, ['pageUrl', 'neighbours']);
  return (item, links, neighbours) => {
    const { record, repository } = viewOf(item);
    const own = kind === 'build' || kind === 'image' ? {} : addressesOfRecord(kind, idOf(item), links);
    return write(record, { repository: presentOptionalRepository(repository, links), neighbours, ...own });
  };
}

/** The public id of an item. */
function idOf(item: ListedRecord | AnyView): string {
  const { record, repository } = viewOf(item);
  return record.kind === 'commit' ? `${repository?.fullName ?? ''}@${record.sha}` : record.id;
}

const neighboursSchema = named('Neighbours', 'The records beside one in its list, which is newest first.', {
  older: nullable(text('Path of the next older record; `null` if there is none.', '/api/v1/news/nws_4d1x8b')),
  newer: nullable(text('Path of the next newer record; `null` if there is none, or if too many were published at about the same time.', ''), null),
});

/** The list of a kind and its records: as JSON, as pages and as feeds. All kinds have the same view but for its parts. */
export class KindView<Kind extends ViewedKind, Q extends KindQuery<Kind>, G extends RecordQuery, Reference> {
  readonly kind: Kind;
  readonly schema: NamedSchema;
  readonly present: (item: ItemOf<Kind>, links: Links, neighbours?: object) => object;
  readonly list: ApiRoute<Q>;
  readonly get: ApiRoute<G>;
  readonly recordPage: PageRoute<G>;
  readonly pageRoutes: readonly [] | readonly [PageRoute<Q>, PageRoute<G>];
  readonly feedRoutes: readonly FeedRoute<Q>[];
  readonly #parts: KindParts<Kind, Q, G, Reference>;

  constructor(parts: KindParts<Kind, Q, G, Reference>) {
    this.kind = parts.kind;
    this.#parts = parts;
    this.schema = schemaOf(parts);
    this.present = itemPresenter(parts.kind);
    [this.list, this.get] = routesOf(parts, this.schema);
    const listPage = pageOf(this.list);
    this.recordPage = pageOf(this.get, { shows: [...this.get.shows, ...(parts.pages?.shows ?? [])] });
    this.pageRoutes = parts.pages === undefined ? [] : [listPage, this.recordPage];
    this.feedRoutes = parts.entryOf === undefined ? [] : feedsOf(KINDS[parts.kind].plural, listPage);
  }

  /** Reads a page of the list that a request asks for. */
  listed({ useCases }: WithUseCases) {
    const list = this.#parts.list.use(useCases);
    return (page: PageInput<TimePosition>, call: Call<Q>) => list.execute({ ...call.query.filters(), ...page }, this.#contextOf(call));
  }

  /** Reads the record that a request asks for. */
  #found({ useCases }: WithUseCases) {
    const get = this.#parts.get.use(useCases);
    return (call: Call<G>) => get.execute(this.#parts.get.reference(call), this.#contextOf(call));
  }

  endpoints(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
    const { cacheOf, reference } = this.#parts.get;
    const { links } = context;
    const found = this.#found({ useCases });
    return [
      listController(this.list, context, {
        codec: timeCodec,
        execute: this.listed({ useCases }),
        present: (item: ItemOf<Kind>) => this.present(item, links),
      }),
      apiEndpoint(this.get, context, async (call) => {
        // It may have a message of its own for a malformed path.
        const asked = reference(call);
        wellFormed(this.get, call.params);
        const answer = await found(call);
        const isAlone = call.query.include === undefined;
        const around = isAlone ? null : await this.#neighbours({ useCases }, answer.data, call);
        const body = this.present(answer.data, links, around === null ? undefined : addressesOf(around, this.kind, links));
        const reply = { ...replyOf(this.get, answer, body), shows: [answer.data, around] };
        return cacheOf === undefined ? reply : { ...reply, cache: isAlone ? cacheOf(asked) : this.list.cache };
      }),
    ];
  }

  pages(context: PageContext): readonly Endpoint[] {
    const { pages } = this.#parts;
    const [listPage, recordPage] = this.pageRoutes;
    if (pages === undefined || listPage === undefined || recordPage === undefined) return [];
    return [
      listPageEndpoint(listPage, context, { codec: timeCodec, execute: this.listed(context), render: pages.list(context.pages) }),
      recordPageEndpoint(recordPage, context, { ...this.recordParts(context), render: pages.record(context) }),
    ];
  }

  /** What the page of a record reads. */
  recordParts(context: WithUseCases) {
    return {
      kind: this.kind,
      execute: this.#found(context),
      neighbours: (item: ItemOf<Kind>, call: Call<unknown>) => this.#neighbours(context, item, call),
    };
  }

  feeds(context: FeedContext): readonly Endpoint[] {
    const { entryOf } = this.#parts;
    if (entryOf === undefined) return [];
    return feedEndpoints(this.feedRoutes, context, { name: KINDS[this.kind].plural, execute: this.listed(context), entryOf });
  }

  /** The records beside one in the list, within its repository. */
  #neighbours({ useCases }: WithUseCases, item: ItemOf<Kind>, call: Call<unknown>): Promise<Neighbours<ItemOf<Kind>>> {
    const { record, repository } = viewOf(item);
    const inRepository = { repository: repository?.fullName ?? null } as ListInput<Kind>;
    const list = this.#parts.list.use(useCases);
    return neighboursOf(
      positionOf(record),
      (other: ItemOf<Kind>) => positionOf(viewOf(other).record),
      (page) => list.execute({ ...inRepository, ...page }, this.#contextOf(call)),
    );
  }

  /** Records of no repository are shown without an allowlist, too. */
  #contextOf(call: Call<unknown>): ReadContext {
    const { signal } = call;
    return this.list.holdsRepositories ? { ...call.context(), signal } : { signal };
  }
}

function addressesOf({ older, newer }: Neighbours<ListedRecord | AnyView>, kind: SearchType, links: Links): object {
  const hrefOf = (item: ListedRecord | AnyView | null) => (item === null ? null : links.record(kind, idOf(item)));
  return { older: hrefOf(older), newer: hrefOf(newer) };
}

interface WithUseCases {
  readonly useCases: UseCases;
}

function schemaOf<Kind extends ListedKind, Q, G extends RecordQuery, R>({ kind, schema, path, get }: KindParts<Kind, Q, G, R>): NamedSchema {
  const { ownership } = KINDS[kind];
  const neighbours = optional(ref(neighboursSchema, 'Only with `include=neighbours`: what is beside it in the list of its repository, or of all.'));
  const href = ownPath(`${path}/${encodeURIComponent(get.example ?? get.parameter.example)}`);
  if (ownership === 'never') return kindSchema(schema, kind, { pageUrl, neighbours, href }, [provenanceSchema, neighboursSchema]);
  const repository = ownership === 'always' ? ownRepository : optionalRepository;
  return kindSchema(schema, kind, { repository, pageUrl, neighbours, href }, [repositorySchema, provenanceSchema, neighboursSchema]);
}

function routesOf<Kind extends ListedKind, Q extends Query, G extends RecordQuery, R>(
  { kind, path, tag, route, list, get }: KindParts<Kind, Q, G, R>,
  schema: NamedSchema,
): readonly [ApiRoute<Q>, ApiRoute<G>] {
  const shared = { tag, schema, shows: [kind], holdsRepositories: KINDS[kind].ownership !== 'never', ...route } as const;
  const { id, summary, description, query, parameter, cache } = get;
  return [
    listRoute({ id: list.id, path, summary: list.summary, description: list.description, query: list.query, ...shared }),
    recordRoute({
      id,
      path: `${path}/{${parameter.name}}`,
      summary,
      description,
      query,
      pathParameters: [parameter],
      ...shared,
      ...(cache !== undefined && { cache }),
    }),
  ];
}
