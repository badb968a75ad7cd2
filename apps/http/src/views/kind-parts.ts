import type { ListedKind, ListFilters, RecordOf, ScopedListInput, ShownKind, ViewOf } from '@vitrine/core';
import type { EntryLinks, FeedEntry } from '@vitrine/feeds';
import type { ListData, Pages, RecordData } from '@vitrine/pages';
import type { CachePolicy } from '../serving/envelope.js';
import type { RecordQuery } from './shared/lists.js';
import type { PageParts } from './shared/page.js';
import type { PathParameter } from './shared/path-parameters.js';
import type { ApiRoute, Call, Tag, ViewContext } from './shared/route.js';
import type { Fields } from './shared/schema.js';

/** The kinds whose records have an address of their own. */
export type ViewedKind = Exclude<ListedKind, 'build' | 'image'>;

/** What a use case gives of a kind: the record, beside its repository if the kind can have one. */
export type ItemOf<Kind extends ListedKind> = Kind extends ShownKind ? ViewOf<RecordOf<Kind>> : RecordOf<Kind>;

export type ListInput<Kind extends ListedKind> = Partial<Omit<ScopedListInput, 'limit' | 'after'> & ListFilters<Kind>>;

type Named<Q extends RecordQuery> = Pick<Call<Q>, 'params' | 'query'>;

interface GetPart<Q extends RecordQuery> {
  readonly summary: string;
  readonly description: string;
  /** What names the record in the path. Default: its public id. */
  readonly parameter?: PathParameter;
  /** The name of a record in its `href`. */
  readonly example: string;
  readonly query?: new () => Q;
  /** The input of the use case. Default: the public id. */
  readonly reference?: (call: Named<Q>) => object;
  readonly cache?: CachePolicy;
  /** The cache policy of a request, if not all requests have the same. */
  readonly cacheOf?: (call: Named<Q>) => CachePolicy;
}

/** What a request for one record can include besides its neighbours. */
interface IncludedPart<Kind extends ListedKind> {
  readonly fields: Fields;
  readonly read: (item: ItemOf<Kind>, parts: PageParts, call: Call<RecordQuery>, context: ViewContext) => Promise<object>;
  readonly shows: ApiRoute['shows'];
}

export type RecordPage<Kind extends ListedKind> = Pick<RecordData<ItemOf<Kind>>, 'item' | 'around' | 'address'>;

export interface PagesPart<Kind extends ListedKind, More> {
  /** Absent: the list has no page of this form. */
  readonly list?: (pages: Pages) => (data: ListData<ItemOf<Kind>>) => Promise<string>;
  readonly record: (pages: Pages) => (data: RecordData<ItemOf<Kind>> & More) => Promise<string>;
  /** Reads what else the page of a record shows. */
  readonly more?: (data: RecordPage<Kind>, parts: PageParts, call: Call<RecordQuery>, context: ViewContext) => Promise<More>;
  readonly shows?: ApiRoute['shows'];
}

export interface KindParts<Kind extends ListedKind, Q, G extends RecordQuery, More> {
  readonly kind: Kind;
  readonly path: string;
  readonly tag: Tag;
  readonly description: string;
  readonly route?: Partial<Pick<ApiRoute, 'isComposed' | 'cache'>>;
  readonly list: { readonly description: string; readonly query: new () => Q };
  readonly get: GetPart<G>;
  readonly included?: IncludedPart<Kind>;
  readonly pages: PagesPart<Kind, More>;
  readonly entryOf?: (item: ItemOf<Kind>, links: EntryLinks) => FeedEntry;
}
