import { DayList, type Entry } from '../components/entry-list.js';
import { feedLinks } from '../components/feed-links.js';
import { FilterForm, type FilterValues } from '../components/filter-form.js';
import { Page } from '../components/layout.js';
import { PageNotice, type Currency } from '../components/notices.js';
import { Pager } from '../components/pager.js';
import type { ListName } from '../page-links.js';
import { useView } from '../view.js';
import { LIST_FILTERS } from './list-filters.js';
import type { ListAddress } from './page-address.js';

/** One page of a list. */
export interface ListData<Item> extends Currency {
  readonly items: readonly Item[];
  readonly address: ListAddress;
  readonly filters: FilterValues;
}

interface ListPageProps {
  readonly name: Exclude<ListName, 'repositories'>;
  readonly data: ListData<unknown>;
  readonly entries: readonly Entry[];
  readonly publicUrl: string;
}

/** Records of one kind by day, with all filters of the API. */
export function ListPage({ name, data, entries, publicUrl }: ListPageProps) {
  const { t, links } = useView();
  const { address, filters } = data;
  const isFiltered = Object.keys(filters).length > 0;
  // Only the first page without filters is worth finding: all others change with every record.
  const isIndexed = !isFiltered && address.first === null;
  const alternates = feedLinks([name], t, filters);
  const head = { title: t.places[name], description: null, path: address.path, json: address.json, isIndexed, alternates, publicUrl };
  return (
    <Page head={head} currency={data}>
      <h1>{t.places[name]}</h1>
      <PageNotice />
      <section class="card">
        <FilterForm action={links.list(name)} fields={LIST_FILTERS[name]} values={filters} />
        {entries.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.lists.empty}</p> : <DayList entries={entries} level={2} />}
        <Pager next={address.next} first={address.first} nextLabel={t.lists.older} />
        <p class="soft">{t.lists.daysAreUtc}</p>
      </section>
    </Page>
  );
}
