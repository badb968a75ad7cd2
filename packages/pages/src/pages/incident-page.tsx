import { isUnresolved, type Incident, type IncidentService } from '@vitrine/core';
import { Titled } from '../components/entry-list.js';
import { FullTime, Time, ViewOn } from '../components/inline.js';
import { Facts, Section } from '../components/blocks.js';
import { Hero } from '../components/hero.js';
import { AddToCalendar, durationOf, Timeline, toneOfIncident } from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { Around, type RecordData } from '../components/record-page.js';
import { State } from '../components/state.js';
import { serviceName } from '../text/formatter.js';
import { useView } from '../view.js';

export interface IncidentData extends RecordData<Incident> {
  /** The declared incidents that cover this detected one. */
  readonly coveredBy: readonly Incident[];
}

export function IncidentPage({ data, publicUrl }: { readonly data: IncidentData; readonly publicUrl: string }) {
  const { t, links } = useView();
  const { item: incident, coveredBy, address, around } = data;
  const covers = (incident.covers ?? []).map((id) => ({ id, title: id }));
  const description = incident.updates[0]?.body ?? null;
  return (
    <Page head={{ title: incident.title, description, ...address, ogType: 'article', publicUrl }} currency={data}>
      <Hero
        heading={<Titled text={incident.title} />}
        state={toneOfIncident(incident)}
        crumbs={[
          { label: t.places.status, href: links.to('/status') },
          { label: t.places.history, href: links.to('/status/history') },
        ]}
        lead={<Summary incident={incident} />}
        tools={<Tools incident={incident} />}
        hasNotice
      />
      <div class="wrap split">
        <Section heading={t.incident.happened} id="updates" class="" isLive>
          {incident.updates.length === 0 && (incident.confirmingChecks ?? null) === null ? <p class="soft">{t.incident.noUpdates}</p> : null}
          <Timeline incident={incident} />
        </Section>
        <aside aria-label={t.record.facts}>
          <IncidentFacts incident={incident} />
          <Related heading={t.incident.coveredBy} id="covered-by" incidents={coveredBy} />
          <Related heading={t.incident.covers} id="covers" incidents={covers} />
          <AffectedServices services={incident.services} />
        </aside>
      </div>
      <Around around={around} />
    </Page>
  );
}

function Tools({ incident: { incidentKind, state, sourceUrl } }: { readonly incident: Incident }) {
  return (
    <>
      {incidentKind === 'maintenance' && isUnresolved({ state }) ? <AddToCalendar /> : null}
      {sourceUrl === null ? null : <ViewOn href={sourceUrl} />}
    </>
  );
}

function Summary({ incident }: { readonly incident: Incident }) {
  const view = useView();
  const { t } = view;
  const { state, startedAt, resolvedAt, scheduledFor } = incident;
  const length = durationOf(incident, view);
  const word = <State state={isUnresolved(incident) ? toneOfIncident(incident) : 'operational'} word={t.incident.states[state]} />;
  if (state === 'scheduled' && scheduledFor !== null)
    return (
      <>
        {word} {t.incident.startsAt} <Time at={scheduledFor} />
      </>
    );
  if (resolvedAt === null || length === null)
    return (
      <>
        {word} {t.incident.since} <Time at={startedAt} />
      </>
    );
  return (
    <>
      {word} {t.incident.after(length)}, <Time at={resolvedAt} />
    </>
  );
}

function IncidentFacts({ incident }: { readonly incident: Incident }) {
  const view = useView();
  const { t } = view;
  const { impact, startedAt, resolvedAt, scheduledFor, scheduledUntil, endUncertain } = incident;
  const time = (at: number | null) => (at === null ? null : <FullTime at={at} />);
  return (
    <div class="panel pad">
      <Facts
        facts={[
          [t.incident.impact, t.incident.impacts[impact]],
          [t.incident.duration, durationOf(incident, view)],
          [t.incident.scheduled, time(scheduledFor)],
          [t.incident.until, time(scheduledUntil)],
          [t.incident.started, startedAt === scheduledFor ? null : time(startedAt)],
          [endUncertain === true ? t.incident.endUnknown : t.incident.resolved, time(resolvedAt)],
        ]}
      />
    </div>
  );
}

interface RelatedProps {
  readonly heading: string;
  readonly id: string;
  readonly incidents: readonly Pick<Incident, 'id' | 'title'>[];
}

function Related({ heading, id, incidents }: RelatedProps) {
  const { links } = useView();
  if (incidents.length === 0) return null;
  return (
    <Section heading={heading} id={id} class="">
      <ul class="list">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <a href={links.record('incident', incident.id)} dir="auto">
              <Titled text={incident.title} />
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AffectedServices({ services }: { readonly services: readonly IncidentService[] }) {
  const { t, links } = useView();
  if (services.length === 0) return null;
  return (
    <Section heading={t.incident.affected} id="affected" class="">
      <ul class="list">
        {services.map((service) => (
          <li key={service.key}>
            <a class="title" href={links.record('status-service', service.key)} dir="auto">
              {serviceName(service)}
            </a>
            {service.impacts.map(({ state, startAt, endAt }) => (
              <div class="meta" key={startAt}>
                <State state={state} />
                <span>
                  <FullTime at={startAt} /> – {endAt === null ? t.incident.ongoing : <FullTime at={endAt} />}
                </span>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
