import type { ListedKind, ListFilters, Page, ReadContext, RecordOf, ScopedListInput, ShownKind, TimePosition, ViewOf } from '@vitrine/core';
import type { EntryLinks, FeedEntry } from '@vitrine/feeds';
import type { ListData, Pages, RecordData } from '@vitrine/pages';
import type { CachePolicy } from '../serving/envelope.js';
import type { Drawing } from './shared/document.js';
import type { Call, Composed } from './shared/endpoint.js';
import type { PageInput } from './shared/lists.js';
import type { PageContext, PageParts } from './shared/page.js';
import type { PathParameter } from './shared/path-parameters.js';
import type { RecordQuery } from './shared/query.js';
import type { ApiRoute, Tag } from './shared/route.js';

/** The kinds whose records have an address of their own. */
export type ViewedKind = Exclude<ListedKind, 'build' | 'image'>;

/** What a use case gives of a kind: the record, beside its repository if the kind can have one. */
export type ItemOf<Kind extends ListedKind> = Kind extends ShownKind ? ViewOf<RecordOf<Kind>> : RecordOf<Kind>;

export type ListInput<Kind extends ListedKind> = Partial<Omit<ScopedListInput, 'limit' | 'after'> & ListFilters<Kind>>;

export interface KindUseCases<Kind extends ListedKind, Reference> {
  readonly list: {
    execute(input: ListInput<Kind> & PageInput<TimePosition>, context: ReadContext): Promise<Composed<Page<ItemOf<Kind>, TimePosition>>>;
  };
  readonly get: { execute(reference: Reference, context: ReadContext): Promise<Composed<ItemOf<Kind>>> };
}

export interface GetPart<Q extends RecordQuery, Reference> {
  readonly summary: string;
  readonly description: string;
  readonly parameter: PathParameter;
  /** An id, as `href` names it. Default: the example of the parameter. */
  readonly example?: string;
  readonly query: new () => Q;
  /** The record that is asked for. Throws a `Refusal` if the path is malformed. */
  readonly reference: (call: Pick<Call<Q>, 'params' | 'query'>) => Reference;
  /** The cache policy of a record, if it is not that of the list. */
  readonly cache?: CachePolicy;
  /** The cache policy of a request, if not all requests have the same. */
  readonly cacheOf?: (reference: Reference) => CachePolicy;
}

export interface PagesPart<Kind extends ListedKind> {
  readonly list: (pages: Pages) => (data: ListData<ItemOf<Kind>>) => Promise<string>;
  /** @param parts reads what else the page shows */
  readonly record: (context: PageContext, data: RecordData<ItemOf<Kind>>, parts: PageParts, call: Call<RecordQuery>) => Drawing | Promise<Drawing>;
  /** Further kinds that the page of a record shows. */
  readonly shows?: ApiRoute['shows'];
}

export interface KindParts<Kind extends ListedKind, Q, G extends RecordQuery, Reference> {
  readonly kind: Kind;
  readonly path: string;
  readonly tag: Tag;
  /** The name and the description of its schema. */
  readonly schema: readonly [name: string, description: string];
  readonly route?: Partial<Pick<ApiRoute, 'isComposed' | 'cache'>>;
  readonly list: { readonly description: string; readonly query: new () => Q };
  readonly get: GetPart<G, Reference>;
  readonly pages?: PagesPart<Kind>;
  readonly entryOf?: (item: ItemOf<Kind>, links: EntryLinks) => FeedEntry;
}
