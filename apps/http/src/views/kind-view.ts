import { KINDS, neighboursOf, positionOf } from '@vitrine/core';
import type {
  ListedKind,
  ListedRecord,
  Neighbours,
  OwnedKind,
  Page,
  ReadContext,
  Repository,
  ScopedKind,
  SearchType,
  TimePosition,
} from '@vitrine/core';
import type { Outcome } from '../serving/envelope.js';
import type { ItemOf, KindParts, ListInput, PagesPart, RecordPage, ViewedKind } from './kind-parts.js';
import { optionalRepository, ownRepository, type RepositoryJson } from './repositories.js';
import { timeCodec } from './shared/cursors.js';
import { outcomeOf } from './shared/endpoint.js';
import { feedsOf } from './shared/feed.js';
import { capital, kindSchema, type RecordJson } from './shared/kind-schema.js';
import { listRoute, type ListRoute, type PageInput, type PageQuery, RecordQuery } from './shared/lists.js';
import { addressesOf, listPageOf, pageOf, PageParts, type PageRoute } from './shared/page.js';
import { idParameter } from './shared/path-parameters.js';
import { apiRoute, type ApiRoute, type Call, type Composed, type DocumentRoute, type ViewContext } from './shared/route.js';
import { addressMembers, from, named, nullable, optional, ref, text } from './shared/schema.js';
import type { Field, Fields, Links, NamedSchema } from './shared/schema.js';

interface AnyView {
  readonly record: ListedRecord;
  readonly repository: Repository | null;
}

function viewOf(item: ListedRecord | AnyView): AnyView {
  return 'record' in item ? item : { record: item, repository: null };
}

type RepositoryOf<Kind extends ListedKind> = Kind extends OwnedKind
  ? { readonly repository: RepositoryJson }
  : Kind extends ScopedKind
    ? { readonly repository: RepositoryJson | null }
    : object;
type AddressesOf<Kind extends ListedKind> = Kind extends ViewedKind ? { readonly href: string; readonly pageUrl?: string } : object;

export type ItemJson<Kind extends ListedKind> = RecordJson<Kind> & RepositoryOf<Kind> & AddressesOf<Kind>;

function idOf(item: ListedRecord | AnyView): string {
  const { record, repository } = viewOf(item);
  return record.kind === 'commit' ? `${repository?.fullName ?? ''}@${record.sha}` : record.id;
}

const neighboursSchema = named('Neighbours', 'The records beside one in the list of its repository, or of all, newest first.', {
  older: nullable(text('Path of the next older record; `null` if there is none.', '/api/v1/news/nws_4d1x8b')),
  newer: nullable(text('Path of the next newer record; `null` if there is none, or if too many were published at about the same time.', ''), null),
});

function neighbourAddresses({ older, newer }: Neighbours<ListedRecord | AnyView>, kind: SearchType, links: Links): object {
  const hrefOf = (item: ListedRecord | AnyView | null) => (item === null ? null : links.record(kind, idOf(item)));
  return { older: hrefOf(older), newer: hrefOf(newer) };
}

/** The key of what a request includes. Records of embedders may have members of every name. */
const INCLUDED = Symbol('included');

/** A request can include further members. They are beside the record. */
export function included<Json>(name: string, field: Field<Json>): Field<Json | undefined> {
  return from((item: { readonly [INCLUDED]?: Readonly<Record<string, unknown>> }) => item[INCLUDED]?.[name], optional(field));
}

const NEIGHBOURS = included('neighbours', ref(neighboursSchema, 'Only with `include=neighbours`: what is beside it in its list.'));

function itemSchema<Kind extends ViewedKind>(kind: Kind, description: string, example: string, further: Fields): NamedSchema<ItemJson<Kind>> {
  const { ownership } = KINDS[kind];
  const { pageUrl, href } = addressMembers(example, (item: ListedRecord | AnyView) => [kind, idOf(item)]);
  const owner = { always: { repository: ownRepository }, never: {}, sometimes: { repository: optionalRepository } }[ownership];
  // The members are those of the type.
  return kindSchema(kind, description, { ...owner, pageUrl, neighbours: NEIGHBOURS, ...further, href }) as NamedSchema as NamedSchema<ItemJson<Kind>>;
}

interface KindUseCases<Kind extends ListedKind> {
  readonly list: {
    execute(input: ListInput<Kind> & PageInput<TimePosition>, context: ReadContext): Promise<Composed<Page<ItemOf<Kind>, TimePosition>>>;
  };
  readonly get: { execute(reference: object, context: ReadContext): Promise<Composed<ItemOf<Kind>>> };
}

const byId = ({ params }: Pick<Call<RecordQuery>, 'params'>) => ({ id: params['id'] ?? '' });

/** The list of a kind and its records: as JSON, as pages and as feeds. All kinds have the same view but for its parts. */
export class KindView<Kind extends ViewedKind, Q extends PageQuery, G extends RecordQuery, More = unknown> {
  readonly kind: Kind;
  readonly schema: NamedSchema<ItemJson<Kind>>;
  readonly list: ListRoute<Q, ItemOf<Kind>, TimePosition>;
  readonly get: ApiRoute<G>;
  readonly pages: readonly PageRoute[];
  readonly feeds: readonly DocumentRoute[];

  constructor(private readonly parts: KindParts<Kind, Q, G, More>) {
    const { kind, get, pages, entryOf } = parts;
    this.kind = kind;
    this.schema = itemSchema(kind, parts.description, `${parts.path}/${encodeURIComponent(get.example)}`, parts.included?.fields ?? {});
    [this.list, this.get] = [this.#listRoute(), this.#getRoute()];
    const listPage = pages.list && listPageOf(this.list, pages.list);
    this.pages = [...(listPage ? [listPage] : []), this.#recordPage(pages)];
    this.feeds = listPage && entryOf ? feedsOf(KINDS[kind].plural, listPage, entryOf) : [];
  }

  #listRoute(): ListRoute<Q, ItemOf<Kind>, TimePosition> {
    const { plural } = KINDS[this.kind];
    return listRoute({
      id: `list${capital(plural)}`,
      path: this.parts.path,
      summary: `List ${plural}`,
      ...this.parts.list,
      ...this.#shared,
      codec: timeCodec,
      execute: (page, call, context) =>
        this.#useCases(context).list.execute({ ...(call.query.filters() as ListInput<Kind>), ...page }, this.#contextOf(call)),
    });
  }

  #getRoute(): ApiRoute<G> {
    const { summary, description, query = RecordQuery as new () => G, example, cache, cacheOf } = this.parts.get;
    const { parameter = idParameter(`Id of the ${this.kind}.`, example) } = this.parts.get;
    return apiRoute<G>({
      id: `get${capital(this.kind)}`,
      path: `${this.parts.path}/{${parameter.name}}`,
      pathParameters: [parameter],
      ...{ summary, description, query, ...this.#shared, shows: [this.kind, ...(this.parts.included?.shows ?? [])] },
      ...(cache !== undefined && { cache }),
      data: 'record',
      answer: async (call, context) => {
        const answer = await this.#found(call, context);
        const isAlone = call.query.include === undefined;
        const { members, ...more } = isAlone ? {} : await this.#included(answer, call, context);
        const item = isAlone ? answer.data : { ...viewOf(answer.data), [INCLUDED]: members };
        const outcome = { ...outcomeOf(answer, this.schema.write(item, context.links)), ...more };
        return cacheOf === undefined ? outcome : { ...outcome, cache: isAlone ? cacheOf(call) : this.list.cache };
      },
    });
  }

  async #included(answer: Composed<ItemOf<Kind>>, call: Call<G>, context: ViewContext): Promise<Partial<Outcome> & { readonly members: object }> {
    const { included } = this.parts;
    if (call.query.include === 'neighbours' || included === undefined) {
      const neighbours = await this.#neighbours(answer.data, call, context);
      return { members: { neighbours: neighbourAddresses(neighbours, this.kind, context.links) }, shows: [answer.data, neighbours] };
    }
    const parts = new PageParts(context.deadlines, call.signal);
    const item = await parts.need(() => Promise.resolve(answer));
    return { members: await included.read(item, parts, call, context), ...parts.currency };
  }

  #recordPage({ record, more, shows = [] }: PagesPart<Kind, More>): PageRoute<G> {
    const addressOf = addressesOf(this.get);
    const [id = ''] = this.get.pathParameters.map(({ name }) => name);
    return pageOf<G, RecordPage<Kind> & More>(
      this.get,
      {
        read: async (call, parts, context) => {
          const item = await parts.need(() => this.#found(call, context));
          const around = await parts.readAside(this.kind, (signal) => this.#neighbours(item, { ...call, signal }, context));
          // A record can be asked for in several spellings, such as an abbreviated sha. It has one address.
          const data = { item, around, address: addressOf(new this.get.query(), { [id]: idOf(item) }, null) };
          return { ...data, ...(more === undefined ? ({} as More) : await more(data, parts, call, context)) };
        },
        draw: record,
        shows: ({ item, around }) => [item, around],
      },
      { shows: [...this.get.shows, ...shows] },
    );
  }

  get #shared() {
    const { kind, tag, route } = this.parts;
    return { tag, schema: this.schema, shows: [kind], holdsRepositories: KINDS[kind].ownership !== 'never', ...route } as const;
  }

  #found(call: Call<G>, context: ViewContext): Promise<Composed<ItemOf<Kind>>> {
    const { reference = byId } = this.parts.get;
    return this.#useCases(context).get.execute(reference(call), this.#contextOf(call));
  }

  #neighbours(item: ItemOf<Kind>, call: Call<unknown>, context: ViewContext): Promise<Neighbours<ItemOf<Kind>>> {
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
  #useCases({ useCases }: ViewContext): KindUseCases<Kind> {
    const named = (id: string): unknown => Reflect.get(useCases, id);
    return { list: named(this.list.id), get: named(this.get.id) } as KindUseCases<Kind>;
  }

  /** Records of no repository are shown without an allowlist, too. */
  #contextOf(call: Call<unknown>): ReadContext {
    const { signal } = call;
    return this.list.holdsRepositories ? call.context(signal) : { signal };
  }
}
