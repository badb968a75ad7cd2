import { withoutCovered, type Incident, type StatusOverview } from '@vitrine/core';
import { calendarLink, feedLinks } from '../components/feed-links.js';
import { Alert, IncidentMeta, splitIncidents, Timeline, toneOfIncident } from '../components/incidents.js';
import { Titled } from '../components/entry-list.js';
import { Page } from '../components/layout.js';
import { STATUS_KINDS, type Currency } from '../components/notices.js';
import { PastIncidents } from '../components/past.js';
import { Section } from '../components/section.js';
import { Services, type DaysByService } from '../components/services.js';
import { StatusHero } from '../components/status-hero.js';
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
  const { current, planned } = splitIncidents(status.incidents.current);
  const open = new Set(status.incidents.current.map(({ id }) => id));
  const alternates = [...feedLinks(['incidents'], t), calendarLink(t)];
  const past = incidents === null ? null : withoutCovered(incidents).filter(({ id }) => !open.has(id));
  return (
    <Page
      head={{ title: t.places.status, description: null, path: '/status', json: '/api/v1/status', state: status.overallState, alternates, publicUrl }}
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
        {planned.length === 0 ? null : (
          <Section heading={t.planned} id="planned">
            {planned.map((incident) => (
              <Alert key={incident.id} incident={incident} level={3} />
            ))}
          </Section>
        )}
        <Section heading={t.pastIncidents} id="past" more={{ href: links.to('/status/history'), label: t.more.past }} kinds={['incident']}>
          {past === null ? null : <PastIncidents incidents={past} until={open.size === 0 ? status.observedAt : null} />}
        </Section>
      </div>
    </Page>
  );
}

/** A current incident with everything that was said about it. */
function Focus({ incident }: { readonly incident: Incident }) {
  const { links } = useView();
  return (
    <article class={`focus panel ${toneOfIncident(incident)}`}>
      <header>
        <h2>
          <a href={links.record('incident', incident.id)} dir="auto">
            <Titled text={incident.title} />
          </a>
        </h2>
        <IncidentMeta incident={incident} />
      </header>
      <Timeline incident={incident} />
    </article>
  );
}
