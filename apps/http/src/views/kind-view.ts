import {
  KINDS,
  type ListedKind,
  type ListedRecord,
  type Neighbours,
  neighboursOf,
  positionOf,
  type ReadContext,
  type Repository,
  type SearchType,
  type TimePosition,
} from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { optionalRepository, ownRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import { apiEndpoint, replyOf, wellFormed, type Call, type ViewContext } from './shared/endpoint.js';
import { listController, type PageInput, timeCodec } from './shared/lists.js';
import { feedEndpoints, type FeedRoute, feedsOf } from './shared/feed.js';
import { kindSchema } from './shared/kind-schema.js';
import { listPageEndpoint, recordPageEndpoint } from './shared/page-endpoints.js';
import { type PageContext, pageOf, type PageRoute } from './shared/page.js';
import { parametersOf } from './shared/parameters.js';
import { type Links, addressesOfRecord } from './shared/present.js';
import { type PageQuery, type Query, RecordQuery } from './shared/query.js';
import { type ApiRoute, listRoute, recordRoute } from './shared/route.js';
import { named, type NamedSchema, nullable, optional, ownPath, pageUrl, provenanceSchema, ref, supplied, text } from './shared/schema.js';
import type { ViewedKind, ItemOf, ListInput, KindParts, KindUseCases } from './kind-parts.js';

/** A get by the public id, which most kinds have. */
export const BY_ID = {
  query: RecordQuery,
  reference: ({ params }: Pick<Call<RecordQuery>, 'params'>) => ({ id: params['id'] ?? '' }),
} as const;

interface AnyView {
  readonly record: ListedRecord;
  readonly repository: Repository | null;
}

function viewOf(item: ListedRecord | AnyView): AnyView {
  return 'record' in item ? item : { record: item, repository: null };
}

/** The JSON of a kind's items. It has the fields that the facts of the kind publish, and no others. */
export function itemPresenter<Kind extends ListedKind>(
  kind: Kind,
  { write }: NamedSchema,
): (item: ItemOf<Kind>, links: Links, neighbours?: object) => object {
  return (item, links, neighbours) => {
    const { record, repository } = viewOf(item);
    const own = kind === 'build' || kind === 'image' ? {} : addressesOfRecord(kind, idOf(item), links);
    return write(record, { repository: presentOptionalRepository(repository, links), neighbours, ...own });
  };
}

function idOf(item: ListedRecord | AnyView): string {
  const { record, repository } = viewOf(item);
  return record.kind === 'commit' ? `${repository?.fullName ?? ''}@${record.sha}` : record.id;
}

const neighboursSchema = named('Neighbours', 'The records beside one in its list, which is newest first.', {
  older: nullable(text('Path of the next older record; `null` if there is none.', '/api/v1/news/nws_4d1x8b')),
  newer: nullable(text('Path of the next newer record; `null` if there is none, or if too many were published at about the same time.', ''), null),
});

/** The list of a kind and its records: as JSON, as pages and as feeds. All kinds have the same view but for its parts. */
export class KindView<Kind extends ViewedKind, Q extends PageQuery, G extends RecordQuery, Reference> {
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
    requireFilters(parts);
    this.schema = schemaOf(parts);
    this.present = itemPresenter(parts.kind, this.schema);
    [this.list, this.get] = routesOf(parts, this.schema);
    const listPage = pageOf(this.list);
    this.recordPage = pageOf(this.get, { shows: [...this.get.shows, ...(parts.pages?.shows ?? [])] });
    this.pageRoutes = parts.pages === undefined ? [] : [listPage, this.recordPage];
    this.feedRoutes = parts.entryOf === undefined ? [] : feedsOf(KINDS[parts.kind].plural, listPage);
  }

  listed(context: ViewContext) {
    const { list } = this.#useCases(context);
    return (page: PageInput<TimePosition>, call: Call<Q>) =>
      list.execute({ ...(call.query.filters() as ListInput<Kind>), ...page }, this.#contextOf(call));
  }

  #found(context: ViewContext) {
    const { get } = this.#useCases(context);
    return (call: Call<G>) => get.execute(this.#parts.get.reference(call), this.#contextOf(call));
  }

  endpoints(context: ViewContext): readonly Endpoint[] {
    const { cacheOf, reference } = this.#parts.get;
    const { links } = context;
    const found = this.#found(context);
    return [
      listController(this.list, context, {
        codec: timeCodec,
        execute: this.listed(context),
        present: (item: ItemOf<Kind>) => this.present(item, links),
      }),
      apiEndpoint(this.get, context, async (call) => {
        // It may have its own message for a malformed path.
        const asked = reference(call);
        wellFormed(this.get, call.params);
        const answer = await found(call);
        const isAlone = call.query.include === undefined;
        const around = isAlone ? null : await this.#neighbours(context, answer.data, call);
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
      recordPageEndpoint(recordPage, context, {
        ...this.recordParts(context),
        render: (data, parts, call) => pages.record(context, data, parts, call),
      }),
    ];
  }

  recordParts(context: ViewContext) {
    return {
      kind: this.kind,
      execute: this.#found(context),
      neighbours: (item: ItemOf<Kind>, call: Call<unknown>) => this.#neighbours(context, item, call),
    };
  }

  feeds(context: ViewContext): readonly Endpoint[] {
    const { entryOf } = this.#parts;
    if (entryOf === undefined) return [];
    return feedEndpoints(this.feedRoutes, context, { name: KINDS[this.kind].plural, execute: this.listed(context), entryOf });
  }

  /** The records beside one in the list, within its repository. */
  #neighbours(context: ViewContext, item: ItemOf<Kind>, call: Call<unknown>): Promise<Neighbours<ItemOf<Kind>>> {
    const { record, repository } = viewOf(item);
    const inRepository = { repository: repository?.fullName ?? null } as ListInput<Kind>;
    const { list } = this.#useCases(context);
    return neighboursOf(
      positionOf(record),
      (other: ItemOf<Kind>) => positionOf(viewOf(other).record),
      (page) => list.execute({ ...inRepository, ...page }, this.#contextOf(call)),
    );
  }

  /** They have the names of the routes. */
  #useCases({ useCases }: ViewContext): KindUseCases<Kind, Reference> {
    const named = (id: string): unknown => Reflect.get(useCases, id);
    return { list: named(this.list.id), get: named(this.get.id) } as KindUseCases<Kind, Reference>;
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

const COMMON = ['repository', 'from', 'to'];

/** Throws a `TypeError` if a parameter sets a filter that the facts of the kind do not name, because it would be ignored. */
function requireFilters({ kind, list }: { readonly kind: ListedKind; readonly list: { readonly query: new () => PageQuery } }): void {
  const known = [...COMMON, ...Object.keys(KINDS[kind].filters)];
  const unknown = parametersOf(list.query).find(({ filter }) => filter !== null && !known.includes(filter));
  if (unknown !== undefined) throw new TypeError(`${list.query.name}: the facts of ${kind} name no filter ${String(unknown.filter)}.`);
}

function schemaOf<Kind extends ListedKind, Q, G extends RecordQuery, R>({ kind, schema, path, get }: KindParts<Kind, Q, G, R>): NamedSchema {
  const { ownership } = KINDS[kind];
  const neighbours = supplied(
    optional(ref(neighboursSchema, 'Only with `include=neighbours`: what is beside it in the list of its repository, or of all.')),
  );
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
  const { summary, description, query, parameter, cache } = get;
  const { plural } = KINDS[kind];
  return [
    listRoute({ id: `list${capital(plural)}`, path, summary: `List ${plural}`, ...list, ...shared }),
    recordRoute({
      id: `get${capital(kind)}`,
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

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
