import { DAY, isUnresolved, MINUTE, UPTIME_WINDOWS, withoutCovered } from '@vitrine/core';
import type { Check, Incident, PeriodStatus, ServiceDetail, ServiceStatus, UptimeFigure, UptimeWindowName } from '@vitrine/core';
import { ResponseTimes } from '../components/chart.js';
import { reasonOf, serviceExpiry, State } from '../components/state.js';
import { ExternalLink, FullTime, Time, TimeNear } from '../components/inline.js';
import { Copy, Facts, Section, Table } from '../components/blocks.js';
import { feedLinks } from '../components/feeds.js';
import { Hero } from '../components/hero.js';
import { IncidentEntry, IncidentLink } from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { Calendars, DayTables, stripOf, trackedOf } from '../components/months.js';
import { STATUS_KINDS, type Currency } from '../components/notices.js';
import { Since } from '../components/services.js';
import { Legend, Strip } from '../components/strip.js';
import { serviceName } from '../text/formatter.js';
import { useView } from '../view.js';
import type { PageAddress } from '../page-links.js';

/** One service. `null` stands for a part that could not be read. */
export interface ServiceData extends Currency {
  readonly service: ServiceDetail;
  /** The uptime window, newest day first. */
  readonly days: readonly PeriodStatus[] | null;
  /** The hours of the last days, newest first. */
  readonly hours: readonly PeriodStatus[] | null;
  /** The newest ones, newest first. */
  readonly checks: readonly Check[] | null;
  readonly incidents: readonly Incident[] | null;
  readonly address: PageAddress;
}

export function ServicePage({ data }: { readonly data: ServiceData }) {
  const view = useView();
  const { t, links } = view;
  const { service, days, incidents, address } = data;
  const alternates = feedLinks(['incidents'], view, { service: service.key }, serviceName(service));
  const strip = days === null ? null : stripOf(days, incidents ?? []);
  return (
    <Page head={{ title: serviceName(service), description: null, ...address, alternates }} currency={data}>
      <ServiceHero service={service} incidents={incidents} />
      <div class="wrap">
        <Section heading={t.service.days} id="days" isLive kinds={STATUS_KINDS}>
          {strip === null ? <p class="soft">{t.bars.unread}</p> : <Strip service={service} days={strip} href="#calendar" />}
          {strip === null ? null : <Legend />}
        </Section>
        <Section heading={t.service.response} id="response">
          <ResponseTimes hours={data.hours} days={days} />
        </Section>
        {days === null || strip === null ? null : <Days days={strip.slice(strip.length - trackedOf(days).length)} months={service.months} />}
        <div class="split">
          <RecentChecks checks={data.checks} />
          <aside aria-label={t.service.checked}>
            <Section
              heading={t.service.incidents}
              id="incidents"
              class=""
              kinds={['incident']}
              more={{ href: links.to(`/status/history?service=${encodeURIComponent(service.key)}`), label: t.all }}
            >
              <ServiceIncidents incidents={incidents} />
            </Section>
            <WhatIsChecked service={service} />
          </aside>
        </div>
      </div>
    </Page>
  );
}

function Days(props: Parameters<typeof Calendars>[0]) {
  if (props.days.length === 0) return null;
  return (
    <Section heading={useView().t.service.windows} id="calendar">
      <Calendars {...props} />
      <DayTables {...props} />
    </Section>
  );
}

function ServiceHero({ service, incidents }: Pick<ServiceData, 'service' | 'incidents'>) {
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
      meta={currentOf(incidents).map((incident) => (
        <IncidentLink key={incident.id} incident={incident} />
      ))}
    >
      <Windows service={service} />
    </Hero>
  );
}

/** The incidents that last, which say why. */
function currentOf(incidents: ServiceData['incidents']): readonly Incident[] {
  return withoutCovered(incidents ?? []).filter((incident) => isUnresolved(incident) && incident.state !== 'scheduled');
}

/** The state, and how old the evidence is, which `Since` already says of an unknown state. */
function ServiceState({ service }: { readonly service: ServiceStatus }) {
  const view = useView();
  const { t } = view;
  const { currentState, lastCheckedAt, lastKnownState } = service;
  return (
    <>
      <State state={currentState} expiry={serviceExpiry(service, view)} more={<Since service={service} />} />
      {currentState === 'unknown' && lastKnownState !== null ? ` · ${t.service.lastKnown(t.states[lastKnownState])}` : null}
      {lastCheckedAt === null ? ` · ${t.service.never}` : null}
      {lastCheckedAt === null || currentState === 'unknown' ? null : (
        <>
          {` · ${t.overallReason.lastChecked} `}
          <Time at={lastCheckedAt} />.
        </>
      )}
    </>
  );
}

/** The windows that are shorter than the time since the first check, and all of that time. */
function Windows({ service }: { readonly service: ServiceStatus }) {
  const { t, format } = useView();
  const { windows, sinceStart, trackedFrom, evidence } = service;
  if (trackedFrom === null) return null;
  const age = Math.max(...evidence.map(({ checkedAt }) => checkedAt)) - trackedFrom;
  const shorter = WINDOWS.filter((name) => UPTIME_WINDOWS[name] * DAY < age);
  const figures = [
    ...shorter.map((name): readonly [string, UptimeFigure] => [t.windows[name], windows[name]]),
    [t.service.sinceDay(format.shortDay(format.dayOf(trackedFrom))), sinceStart] as const,
  ];
  return (
    <dl class="figures">
      {figures.map(([name, { uptimePercent, checksTracked }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {uptimePercent === null ? '–' : format.percent(uptimePercent)}
            <small>{t.bars.ofChecks(checksTracked, format.number(checksTracked))}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const WINDOWS = Object.keys(UPTIME_WINDOWS) as readonly UptimeWindowName[];

/** An answer such as `HTTP 200` stands on one line. */
const SHORT = 16;

/** The newest checks, each with its reason. The time of the newest one, beside the heading, has the day and the time zone of all. */
function RecentChecks({ checks }: Pick<ServiceData, 'checks'>) {
  const { t } = useView();
  const [newest] = checks ?? [];
  return (
    <Section heading={t.service.recent} id="checks" class="" aside={newest && <FullTime at={newest.checkedAt} />}>
      {checks === null || newest === undefined ? (
        <p class="soft">{checks === null ? t.bars.unread : t.service.never}</p>
      ) : (
        <CheckTable checks={checks} near={newest.checkedAt} />
      )}
    </Section>
  );
}

function CheckTable({ checks, near }: { readonly checks: readonly Check[]; readonly near: number }) {
  const { t, format } = useView();
  // With checks in the same minute, equal times would look like one check that is shown twice.
  const minutes = checks.map(({ checkedAt }) => Math.floor(checkedAt / MINUTE));
  const hasSeconds = new Set(minutes).size < minutes.length;
  return (
    <Table label={t.service.recent} headings={[t.service.time, t.bars.state, t.service.answer, t.bars.response]} isStacked>
      {checks.map(({ checkedAt, state, rawState, responseTimeMs, provenance }) => (
        <tr key={`${String(checkedAt)} ${provenance.source}`}>
          <th scope="row">
            <TimeNear at={checkedAt} near={near} form={hasSeconds ? 'seconds' : 'short'} />
          </th>
          <td>
            <State state={state} />
          </td>
          <td class={rawState.length > SHORT ? undefined : 'nowrap'} dir="auto">
            {rawState === state ? '–' : reasonOf(rawState, t)}
          </td>
          <td class="end">{responseTimeMs === null ? '–' : t.service.milliseconds(format.number(responseTimeMs))}</td>
        </tr>
      ))}
    </Table>
  );
}

const MOST_INCIDENTS = 5;

function ServiceIncidents({ incidents }: { readonly incidents: readonly Incident[] | null }) {
  const { t } = useView();
  // The notice of the section says why.
  if (incidents === null) return null;
  if (incidents.length === 0) return <p class="soft">{t.incident.none}</p>;
  return (
    <>
      {incidents.slice(0, MOST_INCIDENTS).map((incident) => (
        <IncidentEntry key={incident.id} incident={incident} level={3} />
      ))}
    </>
  );
}

function WhatIsChecked({ service }: { readonly service: ServiceStatus }) {
  const { t, links, format, publicUrl } = useView();
  const { key, healthUrl, trackedFrom, coveragePercent } = service;
  const badge = `/badges/services/${encodeURIComponent(key)}/state.svg`;
  const markdown = `![${serviceName(service)}](${publicUrl}${badge})`;
  return (
    <Section heading={t.service.checked} id="checked" class="">
      <Facts
        facts={[
          [t.service.address, isPageOf(service, publicUrl) ? null : <ExternalLink href={healthUrl}>{healthUrl}</ExternalLink>],
          [t.service.since, trackedFrom === null ? null : <Time at={trackedFrom} />],
          [t.bars.covered, coveragePercent === null ? null : t.bars.coverage(format.percent(coveragePercent))],
          [
            t.service.badge,
            links.to(badge) === undefined ? null : (
              <>
                <code>{markdown}</code> <Copy text={markdown} />
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}

/** Whether the address replaces one that is not published, so that it is not the checked address. */
function isPageOf({ key, healthUrl }: ServiceStatus, ownAddress: string): boolean {
  const path = `/status/services/${encodeURIComponent(key)}`;
  return healthUrl === ownAddress + path || healthUrl === `${ownAddress}/api/v1${path}`;
}
