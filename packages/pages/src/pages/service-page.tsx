import { DAY, HOUR, UPTIME_WINDOWS, type Incident, type PeriodStatus, type ServiceStatus, type UptimeWindowName } from '@vitrine/core';
import { Chart } from '../components/chart.js';
import { serviceExpiry } from '../components/expiry.js';
import { ExternalLink } from '../components/external-link.js';
import { Copy, Facts } from '../components/facts.js';
import { calendarLink, feedLinks } from '../components/feed-links.js';
import { Hero } from '../components/hero.js';
import { IncidentEntry } from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { Calendars, DayTables } from '../components/months.js';
import { STATUS_KINDS, type Currency } from '../components/notices.js';
import { Section } from '../components/section.js';
import { Since } from '../components/services.js';
import { State } from '../components/state.js';
import { Legend, Strip, type StripDay } from '../components/strip.js';
import { Time } from '../components/time.js';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import type { PageAddress } from './page-address.js';

/** One service. `null` stands for a part that could not be read. */
export interface ServiceData extends Currency {
  readonly service: ServiceStatus;
  /** The uptime window, newest day first. */
  readonly days: readonly PeriodStatus[] | null;
  /** The hours of the last days, newest first. */
  readonly hours: readonly PeriodStatus[] | null;
  readonly incidents: readonly Incident[] | null;
  readonly address: PageAddress;
}

export function ServicePage({ data, publicUrl }: { readonly data: ServiceData; readonly publicUrl: string }) {
  const { t, links } = useView();
  const { service, days, incidents, address } = data;
  const filters = { service: service.key };
  const alternates = [...feedLinks(['incidents'], t, filters), calendarLink(t, filters)];
  const strip = days === null ? null : stripOf(days, incidents ?? []);
  return (
    <Page head={{ title: serviceName(service), description: null, ...address, alternates, publicUrl }} currency={data}>
      <ServiceHero service={service} />
      <div class="wrap">
        <Section heading={t.service.days} id="days" isLive kinds={STATUS_KINDS}>
          {strip === null ? <p class="soft">{t.bars.unread}</p> : <Strip name={serviceName(service)} days={strip} href="#calendar" />}
          {strip === null ? null : <Legend />}
        </Section>
        <Section heading={t.service.response} id="response">
          <ResponseTimes periods={data.hours} stepMs={HOUR} heading={t.windows['7d']} />
          <ResponseTimes periods={days} stepMs={DAY} heading={t.windows['90d']} />
        </Section>
        {days === null || strip === null ? null : <Days days={days} strip={strip} />}
        <div class="split">
          <Section
            heading={t.service.incidents}
            id="incidents"
            class=""
            kinds={['incident']}
            more={{ href: links.to(`/status/history?service=${encodeURIComponent(service.key)}`), label: t.all }}
          >
            <ServiceIncidents incidents={incidents} />
          </Section>
          <aside aria-label={t.service.checked}>
            <WhatIsChecked service={service} publicUrl={publicUrl} />
          </aside>
        </div>
      </div>
    </Page>
  );
}

function Days(props: Parameters<typeof Calendars>[0]) {
  return (
    <Section heading={useView().t.service.windows} id="calendar">
      <Calendars {...props} />
      <DayTables {...props} />
    </Section>
  );
}

function ServiceHero({ service }: { readonly service: ServiceStatus }) {
  const view = useView();
  const { t, links } = view;
  const { until } = serviceExpiry(service, view);
  return (
    <Hero
      heading={serviceName(service)}
      state={service.currentState}
      expiry={{ until, text: {} }}
      crumbs={[{ label: t.places.status, href: links.to('/status') }]}
      lead={<ServiceState service={service} />}
    >
      <Windows windows={service.windows} />
    </Hero>
  );
}

/** The state, and how old the evidence is. */
function ServiceState({ service }: { readonly service: ServiceStatus }) {
  const view = useView();
  const { t } = view;
  const { currentState, lastCheckedAt, lastKnownState } = service;
  return (
    <>
      <State state={currentState} expiry={serviceExpiry(service, view)} more={<Since service={service} />} />{' '}
      {currentState === 'unknown' && lastKnownState !== null ? `${t.service.lastKnown(t.states[lastKnownState])} ` : null}
      {lastCheckedAt === null ? (
        t.service.never
      ) : (
        <>
          {t.overallReason.lastChecked} <Time at={lastCheckedAt} />.
        </>
      )}
    </>
  );
}

function Windows({ windows }: Pick<ServiceStatus, 'windows'>) {
  const { t, format } = useView();
  return (
    <dl class="figures">
      {WINDOWS.map((name) => {
        const { uptimePercent, checksTracked } = windows[name];
        return (
          <div key={name}>
            <dt>{t.windows[name]}</dt>
            <dd>
              {uptimePercent === null ? '–' : format.percent(uptimePercent)}
              <small>{t.bars.ofChecks(checksTracked, format.number(checksTracked))}</small>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const WINDOWS = Object.keys(UPTIME_WINDOWS) as readonly UptimeWindowName[];

/** @param days newest first */
function stripOf(days: readonly PeriodStatus[], known: readonly Incident[]): readonly StripDay[] {
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  return [...days].reverse().map(({ start, state, outageMs, degradedMs, checks, incidents }) => ({
    day: start,
    state,
    outageMs,
    degradedMs,
    checks: Object.values(checks).reduce((sum, count) => sum + count, 0),
    failed: checks.outage,
    incidents: incidents.map((id) => ({ id, title: titles.get(id) ?? '' })),
  }));
}

interface ResponseTimesProps {
  /** Newest first; `null`: they could not be read. */
  readonly periods: readonly PeriodStatus[] | null;
  readonly stepMs: number;
  readonly heading: string;
}

/** From the first check on. */
function ResponseTimes({ periods, stepMs, heading }: ResponseTimesProps) {
  const { t, format } = useView();
  if (periods === null) return <p class="soft">{t.bars.unread}</p>;
  const oldest = periods.findLastIndex(({ checks }) => Object.values(checks).some((count) => count > 0));
  const points = periods
    .slice(0, oldest + 1)
    .reverse()
    .map(({ start, responseTimeMs, state }) => ({
      at: start,
      p50: responseTimeMs?.p50 ?? null,
      p95: responseTimeMs?.p95 ?? null,
      isDown: state === 'outage',
    }));
  const [first, last] = [points[0], points.at(-1)];
  return (
    <>
      <h3 class="period">{heading}</h3>
      {first === undefined || last === undefined ? (
        <p class="soft">{t.service.noResponse}</p>
      ) : (
        <Chart label={format.dayRange(first.at, last.at)} points={points} stepMs={stepMs} />
      )}
    </>
  );
}

function ServiceIncidents({ incidents }: { readonly incidents: readonly Incident[] | null }) {
  const { t } = useView();
  // The notice of the section says why.
  if (incidents === null) return null;
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  return (
    <>
      {incidents.map((incident) => (
        <IncidentEntry key={incident.id} incident={incident} level={3} />
      ))}
    </>
  );
}

function WhatIsChecked({ service, publicUrl }: { readonly service: ServiceStatus; readonly publicUrl: string }) {
  const { t, links, format } = useView();
  const { key, healthUrl, trackedFrom, coveragePercent } = service;
  const badge = links.to(`/badges/services/${encodeURIComponent(key)}/state.svg`);
  const markdown = `![${serviceName(service)}](${publicUrl}/badges/services/${encodeURIComponent(key)}/state.svg)`;
  return (
    <Section heading={t.service.checked} id="checked" class="">
      <Facts
        facts={[
          [t.service.address, isPageOf(service, publicUrl) ? null : <ExternalLink href={healthUrl}>{healthUrl}</ExternalLink>],
          [t.service.since, trackedFrom === null ? null : <Time at={trackedFrom} />],
          [t.bars.covered, coveragePercent === null ? null : t.bars.coverage(format.percent(coveragePercent))],
          [
            t.service.badge,
            badge === undefined ? null : (
              <>
                <img src={badge} alt={t.service.badge} height="20" />
                <Copy text={markdown} />
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}

/** Whether the address stands for one that is not published, so that it is not what was checked. */
function isPageOf({ key, healthUrl }: ServiceStatus, ownAddress: string): boolean {
  const path = `/status/services/${encodeURIComponent(key)}`;
  return healthUrl === ownAddress + path || healthUrl === `${ownAddress}/api/v1${path}`;
}
