import { withoutCovered, type Incident, type ServiceStatus } from '@vitrine/core';
import { groupedBy } from '../components/entry-list.js';
import { calendarLink, feedLinks } from '../components/feed-links.js';
import { FilterForm } from '../components/filter-form.js';
import { Hero } from '../components/hero.js';
import { Page } from '../components/layout.js';
import { PartNotice, STATUS_KINDS } from '../components/notices.js';
import { Pager } from '../components/pager.js';
import { PastIncidents } from '../components/past.js';
import { Section } from '../components/section.js';
import { Services, type DaysByService } from '../components/services.js';
import { useView } from '../view.js';
import { filtersOf } from './list-filters.js';
import type { ListData } from './list-page.js';

/** The past of all services. */
export interface HistoryData extends ListData<Incident> {
  /** The services that the filter selects, with the days of a year; `null` on further pages of the list, and if they could not be read. */
  readonly board: { readonly services: readonly ServiceStatus[]; readonly days: DaysByService } | null;
}

/** The days of a year, and incidents and maintenance by month. */
export function HistoryPage({ data, publicUrl }: { readonly data: HistoryData; readonly publicUrl: string }) {
  const { t, links } = useView();
  const { items, address, filters, board } = data;
  const isFiltered = Object.keys(filters).length > 0;
  const isIndexed = !isFiltered && address.first === null;
  const alternates = [...feedLinks(['incidents'], t, filters), calendarLink(t, filters)];
  const head = { title: t.places.history, description: null, path: address.path, json: address.json, isIndexed, alternates, publicUrl };
  return (
    <Page head={head} currency={data}>
      <Hero heading={t.places.history} crumbs={[{ label: t.places.status, href: links.to('/status') }]} />
      <div class="wrap">
        {board === null || board.services.length === 0 ? (
          <PartNotice kinds={STATUS_KINDS} />
        ) : (
          <Section heading={t.incident.year} id="year" isLive kinds={STATUS_KINDS}>
            <Services {...board} window="365d" />
          </Section>
        )}
        <Section heading={t.pastIncidents} id="past" kinds={['incident']}>
          <FilterForm action={links.to('/status/history')} fields={filtersOf('incidents', data.known, [], t)} values={filters} />
          {items.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.incident.none}</p> : null}
          <Months incidents={withoutCovered(items)} />
          <Pager next={address.next} first={address.first} nextLabel={t.lists.older} />
        </Section>
      </div>
    </Page>
  );
}

function Months({ incidents }: { readonly incidents: readonly Incident[] }) {
  const { format } = useView();
  return (
    <>
      {groupedBy(incidents, ({ startedAt }) => format.month(startedAt)).map(({ first, all }) => (
        <section key={first.id} class="month">
          <h3>{format.month(first.startedAt)}</h3>
          <PastIncidents incidents={all} until={null} />
        </section>
      ))}
    </>
  );
}
