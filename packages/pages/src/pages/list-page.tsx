import type { ComponentChildren } from 'preact';
import { feedLinks } from '../components/feed-links.js';
import { FilterForm, type FilterOption, type FilterValues } from '../components/filter-form.js';
import { Hero } from '../components/hero.js';
import { Page } from '../components/layout.js';
import type { Currency } from '../components/notices.js';
import { Pager } from '../components/pager.js';
import type { ListName } from '../page-links.js';
import { useView } from '../view.js';
import { filtersOf } from './list-filters.js';
import type { ListAddress } from './page-address.js';

/** One page of a list. */
export interface ListData<Item> extends Currency {
  readonly items: readonly Item[];
  readonly address: ListAddress;
  readonly filters: FilterValues;
  /** All values of some filters, by the names of the filters. */
  readonly known: Readonly<Record<string, readonly FilterOption[]>>;
}

interface ListPageProps {
  readonly name: ListName;
  readonly data: ListData<unknown>;
  readonly publicUrl: string;
  /** The records. */
  readonly children: ComponentChildren;
}

/** Records of one kind with all filters of the API. */
export function ListPage({ name, data, publicUrl, children }: ListPageProps) {
  const { t, links } = useView();
  const { items, address, filters } = data;
  const isFiltered = Object.keys(filters).length > 0;
  // Only the first page without filters is worth finding: all others change with every record.
  const isIndexed = !isFiltered && address.first === null;
  const alternates = feedLinks([name], t, filters);
  const head = { title: t.places[name], description: null, path: address.path, json: address.json, isIndexed, alternates, publicUrl };
  return (
    <Page head={head} currency={data}>
      <Hero heading={t.places[name]} hasNotice />
      <div class="wrap">
        <FilterForm action={links.list(name)} fields={filtersOf(name, data.known, items, t)} values={filters} />
        {items.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.lists.empty}</p> : children}
        <Pager next={address.next} first={address.first} nextLabel={name === 'repositories' ? t.lists.next : t.lists.older} />
      </div>
    </Page>
  );
}
