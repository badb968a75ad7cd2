import type { Incident, Instant, ServiceStatus, StatusOverview } from '@vitrine/core';
import { Pager, Section } from '../components/blocks.js';
import { feedLinks } from '../components/feeds.js';
import { FilterForm, filtersOf } from '../components/filters.js';
import { Hero, StatusHero } from '../components/hero.js';
import { Alert, IncidentLink, IncidentMeta, splitIncidents, Timeline, toneOfIncident } from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { type Currency, PartNotice, STATUS_KINDS } from '../components/notices.js';
import { PastMonths, PastSection } from '../components/past.js';
import { type DaysOf, Services } from '../components/services.js';
import type { ListData } from './list-pages.js';
import { useView } from '../view.js';

/** The state of all services. `null` stands for a part that could not be read. */
export interface StatusData extends Currency {
  readonly status: StatusOverview;
  readonly days: DaysOf;
  /** The newest incidents that are over. */
  readonly past: readonly Incident[] | null;
  /** All known incidents. Days on which one lasts are not counted as days without incidents. */
  readonly lasting: readonly Incident[];
}

export function StatusPage({ data }: { readonly data: StatusData }) {
  const view = useView();
  const { t } = view;
  const { status, days, past, lasting } = data;
  const { current, planned } = splitIncidents(status.incidents.current);
  const alternates = feedLinks(['incidents'], view);
  return (
    <Page
      head={{ title: t.places.status, description: null, path: '/status', json: '/api/v1/status', state: status.overallState, alternates }}
      currency={data}
    >
      <StatusHero status={status} />
      <div class="wrap">
        {current.map((incident) => (
          <Focus key={incident.id} incident={incident} />
        ))}
        <Section heading={t.services} id="services" isLive kinds={STATUS_KINDS}>
          <Services services={status.services} days={days} window="90d" />
        </Section>
        <Planned incidents={planned} />
        <PastSection incidents={past} lasting={[...current, ...lasting]} until={status.observedAt} />
      </div>
    </Page>
  );
}

function Planned({ incidents }: { readonly incidents: readonly Incident[] }) {
  const { t } = useView();
  if (incidents.length === 0) return null;
  return (
    <Section heading={t.planned} id="planned">
      {incidents.map((incident) => (
        <Alert key={incident.id} incident={incident} level={3} />
      ))}
    </Section>
  );
}

/** A current incident with everything that was said about it. */
function Focus({ incident }: { readonly incident: Incident }) {
  return (
    <article class={`focus panel ${toneOfIncident(incident)}`}>
      <header>
        <h2>
          <IncidentLink incident={incident} />
        </h2>
        <IncidentMeta incident={incident} isFull />
      </header>
      <Timeline incident={incident} />
    </article>
  );
}

/** The past of all services. */
export interface HistoryData extends ListData<Incident> {
  /** The services that the filter selects, with the days of a year; `null` on further pages of the list, and if they could not be read. */
  readonly board: { readonly services: readonly ServiceStatus[]; readonly days: DaysOf } | null;
  /** All incidents of the further pages, newest first, which may last on the days of this one; `null`: not all of them are known. */
  readonly older: readonly Incident[] | null;
}

/** The days of a year, and incidents and maintenance by month. */
export function HistoryPage({ data }: { readonly data: HistoryData }) {
  const view = useView();
  const { t, links } = view;
  const { items, address, filters, board } = data;
  const { current: past, planned } = splitIncidents(items);
  const isFiltered = Object.keys(filters).length > 0;
  const isWhole = !isFiltered && address.first === null;
  const isIndexed = !address.path.includes('?');
  const alternates = feedLinks(['incidents'], view, filters);
  const head = { title: t.places.history, description: null, path: address.path, json: address.json, isIndexed, alternates };
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
        <Planned incidents={planned} />
        <Section heading={t.feeds.incidents} id="past" kinds={['incident']}>
          <FilterForm action={links.to('/status/history')} fields={filtersOf('incidents', data, view)} values={filters} />
          {items.length === 0 ? <p class="soft">{isFiltered ? t.lists.emptyFiltered : t.incident.none}</p> : null}
          <Months incidents={past} data={data} until={isWhole ? watchedUntil(board) : null} />
          <Pager address={address} nextLabel={t.lists.older} />
        </Section>
      </div>
    </Page>
  );
}

/** When a service was last checked; `null`: the page does not know it. */
function watchedUntil(board: HistoryData['board']): Instant | null {
  const checked = (board?.services ?? []).map(({ lastCheckedAt }) => lastCheckedAt ?? 0);
  return checked.length === 0 ? null : Math.max(...checked);
}

interface MonthsProps {
  /** Those of the list that have begun. */
  readonly incidents: readonly Incident[];
  readonly data: HistoryData;
  /** Until when the list is complete; `null`: it may lack newer incidents. */
  readonly until: Instant | null;
}

function Months({ incidents, data: { items, older, filters }, until }: MonthsProps) {
  const next = older?.find(({ state }) => state !== 'scheduled');
  const hasQuiet = older !== null && filters['state'] === undefined && filters['from'] === undefined;
  return <PastMonths incidents={incidents} lasting={[...items, ...(older ?? [])]} until={until} next={next} hasQuiet={hasQuiet} />;
}
