import type { DayStatus, Incident, ServiceStatus } from '@vitrine/core';
import { Hatch } from '../components/bars.js';
import { Card } from '../components/card.js';
import { DayBars, DayTable } from '../components/day-details.js';
import { serviceExpiry } from '../components/expiry.js';
import { ExternalLink } from '../components/external-link.js';
import { Facts } from '../components/facts.js';
import { calendarLink, feedLinks } from '../components/feed-links.js';
import { IncidentCard } from '../components/incident-card.js';
import { Page } from '../components/layout.js';
import { EndNotice, STATUS_KINDS, type Currency } from '../components/notices.js';
import { ResponseChart } from '../components/response-chart.js';
import { State, StateIcon } from '../components/state.js';
import { Time } from '../components/time.js';
import { UptimeLine } from '../components/uptime-line.js';
import { WindowTable } from '../components/window-table.js';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import type { PageAddress } from './page-address.js';

/** One service. `null` stands for a part that could not be read. */
export interface ServiceData extends Currency {
  readonly service: ServiceStatus;
  /** The uptime window, newest day first. */
  readonly days: readonly DayStatus[] | null;
  readonly incidents: readonly Incident[] | null;
  readonly address: PageAddress;
}

export function ServicePage({ data, publicUrl }: { readonly data: ServiceData; readonly publicUrl: string }) {
  const { t } = useView();
  const { service, days, incidents, address } = data;
  const filters = { service: service.key };
  const alternates = [...feedLinks(['incidents'], t, filters), calendarLink(t, filters)];
  return (
    <Page head={{ title: serviceName(service), description: null, ...address, alternates, publicUrl }} currency={data}>
      <ServiceBanner service={service} ownAddress={publicUrl} />
      <Card heading={t.service.days} aside={t.bars.details} live="days" kinds={STATUS_KINDS}>
        <Hatch />
        {days === null ? <p class="soft">{t.bars.unread}</p> : <DayBars days={days} />}
      </Card>
      <Card heading={t.service.windows} live="windows">
        <WindowTable services={[service]} />
      </Card>
      <Card heading={t.service.response}>{days === null ? <p class="soft">{t.bars.unread}</p> : <ResponseChart days={days} />}</Card>
      <Card heading={t.service.incidents} kinds={['incident']}>
        <ServiceIncidents incidents={incidents} />
      </Card>
      {days === null ? null : (
        <Card heading={t.bars.table}>
          <DayTable days={days} />
        </Card>
      )}
      <EndNotice />
    </Page>
  );
}

function ServiceBanner({ service, ownAddress }: { readonly service: ServiceStatus; readonly ownAddress: string }) {
  const view = useView();
  const { t } = view;
  const expiry = serviceExpiry(service, view);
  const { currentState, lastCheckedAt, trackedFrom, lastKnownState, healthUrl } = service;
  return (
    <section class={`card banner ${currentState}`} id="banner" data-live="" {...expiry.until}>
      <StateIcon state={currentState} />
      <h1 dir="auto">{serviceName(service)}</h1>
      <div class="meta">
        <State state={currentState} expiry={expiry} />
        <UptimeLine figure={service} coveragePercent={service.coveragePercent} />
        {currentState === 'unknown' && lastKnownState !== null ? <span>{t.service.lastKnown(t.states[lastKnownState])}</span> : null}
      </div>
      <Facts
        facts={[
          [t.service.lastChecked, lastCheckedAt === null ? t.service.never : <Time at={lastCheckedAt} />],
          [t.service.since, trackedFrom === null ? null : <Time at={trackedFrom} />],
          [t.service.address, isPageOf(service, ownAddress) ? null : <ExternalLink href={healthUrl}>{healthUrl}</ExternalLink>],
        ]}
      />
    </section>
  );
}

/** Whether the address stands for one that is not published, so that it is not what was checked. */
function isPageOf({ key, healthUrl }: ServiceStatus, ownAddress: string): boolean {
  const path = `/status/services/${encodeURIComponent(key)}`;
  return healthUrl === ownAddress + path || healthUrl === `${ownAddress}/api/v1${path}`;
}

function ServiceIncidents({ incidents }: { readonly incidents: readonly Incident[] | null }) {
  const { t } = useView();
  // The notice of the card says why.
  if (incidents === null) return null;
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  return (
    <>
      {incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
    </>
  );
}
