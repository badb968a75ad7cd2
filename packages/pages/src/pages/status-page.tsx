import { withoutCovered, type Incident, type StatusOverview } from '@vitrine/core';
import { Banner } from '../components/banner.js';
import { Card } from '../components/card.js';
import { CurrentIncidents } from '../components/current-incidents.js';
import { calendarLink, feedLinks } from '../components/feed-links.js';
import { IncidentCard } from '../components/incident-card.js';
import { Page } from '../components/layout.js';
import { EndNotice, STATUS_KINDS, type Currency } from '../components/notices.js';
import { ServiceList, type DaysByService } from '../components/service-list.js';
import { WindowTable } from '../components/window-table.js';
import { useView } from '../view.js';

/** The state of all services. `null` stands for a part that could not be read. */
export interface StatusData extends Currency {
  readonly status: StatusOverview;
  readonly days: DaysByService;
  /** The newest incidents, also those that are over. */
  readonly incidents: readonly Incident[] | null;
}

export function StatusPage({ data, publicUrl }: { readonly data: StatusData; readonly publicUrl: string }) {
  const { t, links } = useView();
  const { status, days, incidents } = data;
  const current = new Set(status.incidents.current.map(({ id }) => id));
  const alternates = [...feedLinks(['incidents'], t), calendarLink(t)];
  const past = incidents === null ? null : withoutCovered(incidents).filter(({ id }) => !current.has(id));
  return (
    <Page head={{ title: t.places.status, description: null, path: '/status', json: '/api/v1/status', alternates, publicUrl }} currency={data}>
      <Banner status={status} />
      <CurrentIncidents incidents={status.incidents.current} />
      <Card heading={t.services} live="services" kinds={STATUS_KINDS}>
        <ServiceList services={status.services} days={days} />
      </Card>
      {status.services.length === 0 ? null : (
        <Card heading={t.service.windows} live="windows">
          <WindowTable services={status.services} />
        </Card>
      )}
      <Card heading={t.places.history} more={{ href: links.to('/status/history'), label: t.more.status }} kinds={['incident']}>
        {past === null ? null : <PastIncidents incidents={past} />}
      </Card>
      <EndNotice />
    </Page>
  );
}

function PastIncidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const { t } = useView();
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  return (
    <>
      {incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </>
  );
}
