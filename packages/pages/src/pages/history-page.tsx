import type { Incident } from '@vitrine/core';
import { groupedBy } from '../components/entry-list.js';
import { feedLinks } from '../components/feed-links.js';
import { FilterForm } from '../components/filter-form.js';
import { IncidentCard } from '../components/incident-card.js';
import { Page } from '../components/layout.js';
import { Pager } from '../components/pager.js';
import { useView } from '../view.js';
import { LIST_FILTERS } from './list-filters.js';
import type { ListData } from './list-page.js';

/** Incidents and maintenance by month. */
export function HistoryPage({ data, publicUrl }: { readonly data: ListData<Incident>; readonly publicUrl: string }) {
  const { t, links, format } = useView();
  const { items, address, filters } = data;
  const isFiltered = Object.keys(filters).length > 0;
  const isIndexed = !isFiltered && address.first === null;
  const alternates = feedLinks('incidents', t.places.history, filters);
  const head = { title: t.places.history, description: null, path: address.path, json: address.json, isIndexed, alternates, publicUrl };
  return (
    <Page head={head} currency={data}>
      <h1>{t.places.history}</h1>
      <section class="card">
        <FilterForm action={links.to('/status/history')} fields={LIST_FILTERS.incidents} values={filters} />
        {items.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.incident.none}</p> : null}
        {groupedBy(items, ({ startedAt }) => format.month(startedAt)).map(({ first, all }) => (
          <section key={first.id} class="month">
            <h2>{format.month(first.startedAt)}</h2>
            {all.map((incident) => (
              <IncidentCard key={incident.id} incident={incident} />
            ))}
          </section>
        ))}
        <Pager next={address.next} first={address.first} nextLabel={t.lists.older} />
        <p class="soft">{t.lists.daysAreUtc}</p>
      </section>
    </Page>
  );
}
