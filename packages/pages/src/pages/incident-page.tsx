import { isUnresolved, type Incident, type Instant } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { Titled, TitleLink } from '../components/entry-list.js';
import { FullTime, Time, TimeRange, ViewOn } from '../components/inline.js';
import { Facts, Section } from '../components/blocks.js';
import { Hero } from '../components/hero.js';
import {
  AddToCalendar,
  durationOf,
  formOfTimes,
  IncidentLink,
  presentToneOf,
  Timeline,
  toneOfIncident,
  toneOfState,
  stateWordOf,
} from '../components/incidents.js';
import { Page } from '../components/layout.js';
import { Around, type RecordData } from '../components/record-page.js';
import { State, Tag } from '../components/state.js';
import { serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';

export interface IncidentData extends RecordData<Incident> {
  /** The detected incidents that belong to this declared one, or the declared ones to which this detected one belongs. */
  readonly related: readonly Pick<Incident, 'id' | 'title'>[];
  /** What the first check of a detected incident found; `null`: that is not stored, or the incident is a declared one. */
  readonly reason: string | null;
  /** The keys of the services that have a page. One that has left the configuration has none. `null`: it is not known. */
  readonly served: readonly string[] | null;
}

type Served = Pick<IncidentData, 'served'>;

function descriptionOf({ updates: [update] }: Incident, { textOf }: View): string | null {
  if (update === undefined || update.body === '') return null;
  return textOf({ text: update.body, form: 'excerpt', images: false, anchors: false }) ?? update.body;
}

export function IncidentPage({ data }: { readonly data: IncidentData }) {
  const view = useView();
  const { t, links } = view;
  const { item: incident, related, reason, served, address, around } = data;
  return (
    <Page head={{ title: incident.title, description: descriptionOf(incident, view), ...address, ogType: 'article' }} currency={data}>
      <Hero
        heading={<Titled text={incident.title} />}
        state={presentToneOf(incident)}
        crumbs={[
          { label: t.places.status, href: links.to('/status') },
          { label: t.places.history, href: links.to('/status/history') },
        ]}
        lead={summaryOf(incident, view)}
        meta={<Header incident={incident} served={served} />}
        tools={<Tools incident={incident} />}
        hasNotice
      >
        <Phases incident={incident} />
      </Hero>
      <div class="wrap split">
        <Section heading={t.incident.happened} id="updates" class="" isLive>
          {incident.updates.length === 0 && (incident.confirmingChecks ?? null) === null ? <p class="soft">{t.incident.noUpdates}</p> : null}
          <Timeline incident={incident} reason={reason} />
        </Section>
        <aside aria-label={t.record.facts}>
          <IncidentFacts incident={incident} />
          <Related incident={incident} incidents={related} />
          <AffectedServices incident={incident} served={served} />
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

/** Its state, and when it began, ended or is to begin. */
function summaryOf(incident: Incident, view: View): ComponentChildren {
  const { t } = view;
  const { state, startedAt, resolvedAt, scheduledFor, endUncertain } = incident;
  const length = durationOf(incident, view);
  const word = <State state={presentToneOf(incident)} word={stateWordOf(incident, t)} />;
  if (state === 'scheduled' && scheduledFor !== null) return [word, ` ${t.incident.plannedFor} `, <FullTime at={scheduledFor} />];
  if (resolvedAt === null || length === null) return [word, `, ${t.incident.began} `, <Time at={startedAt} />];
  return endUncertain === true ? [word, `, ${length}`] : [word, ` ${t.incident.after(length)}, `, <Time at={resolvedAt} />];
}

/** What it means, and for which services. */
function Header({ incident: { impact, incidentKind, services }, served }: Served & { readonly incident: Incident }) {
  const { t } = useView();
  return (
    <>
      {incidentKind === 'maintenance' ? null : <Tag tone={toneOfIncident({ impact, incidentKind })}>{t.incident.impacts[impact]}</Tag>}
      {services.map((service) => (
        <ServiceLink key={service.key} service={service} served={served} />
      ))}
    </>
  );
}

interface ServiceLinkProps extends Served {
  readonly service: Incident['services'][number];
  readonly class?: string;
}

function ServiceLink({ service, served, ...more }: ServiceLinkProps) {
  const { links } = useView();
  const hasPage = served?.includes(service.key) ?? true;
  return <TitleLink {...more} href={hasPage ? links.record('status-service', service.key) : undefined} text={serviceName(service)} />;
}

function IncidentFacts({ incident }: { readonly incident: Incident }) {
  const view = useView();
  const { incident: words } = view.t;
  const { impact, startedAt, resolvedAt, scheduledFor, scheduledUntil, endUncertain } = incident;
  const time = (at: number | null) => (at === null ? null : <FullTime at={at} />);
  return (
    <div class="panel pad">
      <Facts
        facts={[
          [words.impact, <State key={impact} state={toneOfIncident(incident)} word={words.impacts[impact]} />],
          [words.duration, durationOf(incident, view)],
          [words.scheduled, time(scheduledFor)],
          [words.until, time(scheduledUntil)],
          [words.started, startedAt === scheduledFor ? null : time(startedAt)],
          [endUncertain === true ? words.endUnknown : words.resolved, time(resolvedAt)],
        ]}
      />
    </div>
  );
}

const PHASES: readonly Incident['state'][] = ['investigating', 'identified', 'monitoring', 'in_progress', 'verifying'];
const WIDTH = 1_000;

/** How long each state of an incident lasted that is over: one bar, and its parts in words. */
function Phases({ incident }: { readonly incident: Incident }) {
  const view = useView();
  const { t, format } = view;
  const { updates, startedAt, resolvedAt } = incident;
  if (resolvedAt === null) return null;
  const starts = [...updates]
    .sort((a, b) => a.createdAt - b.createdAt)
    .filter(({ state, createdAt }, index, all) => PHASES.includes(state) && createdAt < resolvedAt && all[index - 1]?.state !== state);
  const first = starts[0]?.createdAt ?? resolvedAt;
  const placeOf = (at: Instant): number => (WIDTH * (at - first)) / (resolvedAt - first);
  if (starts.length < 2) return null;
  return (
    <div class="phases">
      <svg viewBox={`0 0 ${String(WIDTH)} 12`} preserveAspectRatio="none" aria-hidden="true">
        {starts.map(({ state, createdAt }) => (
          <path
            key={createdAt}
            class={toneOfState(state)}
            d={`M${placeOf(createdAt).toFixed(0)} 0H${String(WIDTH)}V12H${placeOf(createdAt).toFixed(0)}z`}
          />
        ))}
      </svg>
      <ol>
        {starts.map(({ state, createdAt }, index) => (
          <li key={createdAt} class={toneOfState(state)}>
            <b>{t.incident.states[state]}</b>
            <span>
              {format.timeNear(createdAt, startedAt, formOfTimes(incident, view))},{' '}
              {format.duration((starts[index + 1]?.createdAt ?? resolvedAt) - createdAt)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Related({ incident: { incidentKind }, incidents }: { readonly incident: Incident; readonly incidents: IncidentData['related'] }) {
  const { t } = useView();
  if (incidents.length === 0) return null;
  return (
    <Section heading={incidentKind === 'detected' ? t.incident.coveredBy : t.incident.covers} id="related" class="">
      <ul class="list">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <IncidentLink incident={incident} class="title" />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AffectedServices({ incident, served }: Served & { readonly incident: Incident }) {
  const { services, state: phase, scheduledUntil, resolvedAt } = incident;
  const { t } = useView();
  // Planned maintenance that has not begun affects nothing yet.
  const isPlanned = phase === 'scheduled';
  const whenOf = (startAt: number, endAt: number | null) => {
    // What is resolved affects nothing any more, also if its source does not say since when.
    const end = endAt ?? (isPlanned ? scheduledUntil : resolvedAt);
    if (end !== null) return <TimeRange from={startAt} to={end} />;
    return (
      <>
        <FullTime at={startAt} />
        {isPlanned ? null : ` – ${t.incident.ongoing}`}
      </>
    );
  };
  if (services.length === 0) return null;
  return (
    <Section heading={t.incident.affected} id="affected" class="">
      <ul class="list">
        {services.map((service) => (
          <li key={service.key}>
            <ServiceLink class="title" service={service} served={served} />
            {service.impacts.map(({ state, startAt, endAt }) => (
              <div class="meta" key={startAt}>
                <State state={state} />
                <span>{whenOf(startAt, endAt)}</span>
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
