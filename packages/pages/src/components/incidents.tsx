import { isUnresolved, withoutCovered, type Incident, type Instant, type ServiceState } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { type NearForm, serviceName } from '../text/formatter.js';
import type { Messages } from '../messages/messages.js';
import { useView, type View } from '../view.js';
import { TitleLink } from './entry-list.js';
import { Icon, type IconName, Node } from './icon.js';
import { FullTime, Prose, Time, TimeNear, TimeRange } from './inline.js';
import { reasonOf, Tag, type Tone } from './state.js';

const IMPACTS: Readonly<Record<Incident['impact'], Tone>> = {
  none: 'unknown',
  minor: 'degraded',
  major: 'outage',
  critical: 'outage',
  maintenance: 'maintenance',
};

export function toneOfIncident({ impact, incidentKind }: Pick<Incident, 'impact' | 'incidentKind'>): ServiceState {
  return incidentKind === 'maintenance' ? 'maintenance' : IMPACTS[impact];
}

/** The same while it lasts; afterwards that of what is well again, if that is known. */
export function presentToneOf(incident: Incident): ServiceState {
  if (isUnresolved(incident)) return toneOfIncident(incident);
  return incident.endUncertain === true ? 'unknown' : 'operational';
}

const STEPS: Readonly<Record<Incident['state'], readonly [icon: IconName, tone: Tone]>> = {
  investigating: ['investigating', 'outage'],
  identified: ['identified', 'degraded'],
  monitoring: ['investigating', 'maintenance'],
  resolved: ['operational', 'operational'],
  postmortem: ['article', 'unknown'],
  scheduled: ['calendar', 'maintenance'],
  in_progress: ['maintenance', 'maintenance'],
  verifying: ['investigating', 'maintenance'],
  completed: ['operational', 'operational'],
};

export function toneOfState(state: Incident['state']): Tone {
  return STEPS[state][1];
}

/** Unresolved incidents, newest first, and planned maintenance, the next one first. A detected incident is left out while one that covers it is shown. */
export function splitIncidents(incidents: readonly Incident[]) {
  const shown = withoutCovered(incidents);
  const planned = shown.filter(({ state }) => state === 'scheduled').toSorted((a, b) => a.startedAt - b.startedAt);
  return { current: shown.filter(({ state }) => state !== 'scheduled'), planned };
}

interface IncidentLinkProps {
  readonly incident: Pick<Incident, 'id' | 'title'>;
  readonly class?: string;
}

export function IncidentLink({ incident: { id, title }, ...more }: IncidentLinkProps) {
  return <TitleLink {...more} href={useView().links.record('incident', id)} text={title} />;
}

/** A current incident or planned maintenance, with its newest update. @param props.level of its heading; at the second, planned maintenance is brief */
export function Alert({ incident, level }: { readonly incident: Incident; readonly level: 2 | 3 }) {
  const { t, links } = useView();
  const Heading = level === 2 ? 'h2' : 'h3';
  const tone = toneOfIncident(incident);
  const [newest] = updatesOf(incident);
  const isPlanned = incident.state === 'scheduled';
  return (
    <article class={`alert ${tone}`}>
      <Icon name={tone} class="glyph" />
      <Heading>
        <IncidentLink incident={incident} />
      </Heading>
      {newest === undefined || (isPlanned && level === 2) ? null : <Prose text={newest.body} format="markdown" />}
      <IncidentMeta incident={incident} />
      {isPlanned ? (
        <AddToCalendar />
      ) : (
        <a class="button" href={links.record('incident', incident.id)}>
          {newest === undefined || incident.incidentKind === 'detected' ? t.seeDetails : t.seeUpdates}
        </a>
      )}
    </article>
  );
}

/** All planned maintenance as a calendar; nothing in a copy of the site without one. */
export function AddToCalendar() {
  const { t, links } = useView();
  const href = links.to('/feeds/maintenance.ics');
  if (href === undefined) return null;
  return (
    <a class="button" href={href}>
      <Icon name="calendar" />
      {t.addToCalendar}
    </a>
  );
}

function updatesOf({ updates }: Incident): Incident['updates'] {
  return [...updates].sort((a, b) => b.createdAt - a.createdAt);
}

interface IncidentMetaProps {
  readonly incident: Incident;
  /** In place of the state. */
  readonly tags?: ComponentChildren;
  /** Whether its begin is shown in full, because short times stand beside it. */
  readonly isFull?: boolean;
}

export function IncidentMeta({ incident, tags, isFull = false }: IncidentMetaProps) {
  const { services } = incident;
  return (
    <div class="meta">
      {tags ?? <StateTag incident={incident} />}
      <IncidentTimes incident={incident} isFull={isFull} />
      {services.length === 0 ? null : <span dir="auto">{services.map(serviceName).join(', ')}</span>}
    </div>
  );
}

/**
 * What its state is called. Nobody need be investigating an outage that only checks have found, so that one is just ongoing. If the checks stopped during
 * it, nothing shows that it is resolved.
 */
export function stateWordOf(
  { incidentKind, state, endUncertain }: Pick<Incident, 'incidentKind' | 'state' | 'endUncertain'>,
  { incident: words }: Messages,
): string {
  if (endUncertain === true) return words.noEnd;
  if (state === 'postmortem') return words.states.resolved;
  return incidentKind === 'detected' && state === 'investigating' ? words.lasting : words.states[state];
}

/** The words for all incidents in a state, as `stateWordOf` says them of each, for the choice of that state. */
export function stateWordsOf(state: Incident['state'], t: Messages): string {
  const words = STATE_FORMS.map((form) => stateWordOf({ ...form, state }, t));
  const ended = state === 'resolved' ? [t.incident.noEnd] : [];
  const step = state === 'postmortem' ? [t.incident.states.postmortem] : [];
  return [...new Set([...words, ...ended, ...step])].join(' / ');
}

const STATE_FORMS = [{ incidentKind: 'declared' }, { incidentKind: 'detected' }] as const;

function StateTag({ incident }: { readonly incident: Incident }) {
  const { t } = useView();
  return (
    <>
      <Tag tone={presentToneOf(incident)}>{stateWordOf(incident, t)}</Tag>
      {incident.incidentKind === 'detected' ? <span>{t.incident.detected}</span> : null}
    </>
  );
}

/** Of the past, the impact says more than that it is over. */
function ImpactTag({ incident }: { readonly incident: Incident }) {
  const { t } = useView();
  const tone = toneOfIncident(incident);
  return (
    <>
      <Tag tone={tone}>{t.incident.impacts[incident.impact]}</Tag>
      {isUnresolved(incident) ? <Tag tone={tone}>{stateWordOf(incident, t)}</Tag> : null}
    </>
  );
}

function IncidentTimes({ incident, isFull }: { readonly incident: Incident; readonly isFull: boolean }) {
  const { scheduledFor, scheduledUntil, startedAt, resolvedAt } = incident;
  const view = useView();
  const { t } = view;
  if (scheduledFor !== null && resolvedAt === null)
    return <b>{scheduledUntil === null ? <FullTime at={scheduledFor} /> : <TimeRange from={scheduledFor} to={scheduledUntil} />}</b>;
  if (resolvedAt === null)
    return (
      <span>
        {t.incident.began} {isFull ? <FullTime at={startedAt} /> : <Time at={startedAt} />}
      </span>
    );
  return (
    <>
      <FullTime at={startedAt} />
      <span>{durationOf(incident, view)}</span>
    </>
  );
}

/** `1 h 34 min`, or `seen for 1 h 34 min` if no check shows when it ended; `null` while it lasts. */
export function durationOf({ startedAt, resolvedAt, endUncertain }: Incident, { t, format }: View): string | null {
  if (resolvedAt === null) return null;
  const length = format.duration(Math.max(0, resolvedAt - startedAt));
  return endUncertain === true ? t.incident.seenFor(length) : length;
}

/** An incident in a list of the past. @param props.level of its heading */
export function IncidentEntry({ incident, level = 4 }: { readonly incident: Incident; readonly level?: 3 | 4 }) {
  const Heading = level === 3 ? 'h3' : 'h4';
  const [newest] = updatesOf(incident);
  return (
    <article class="entry">
      <Heading>
        <IncidentLink incident={incident} />
      </Heading>
      <IncidentMeta incident={incident} tags={<ImpactTag incident={incident} />} />
      {newest === undefined ? null : <Prose text={newest.body} format="markdown" />}
    </article>
  );
}

/** The form of the times of all updates. They have their day if one is of another day than the start: below it, a time without a day could be of either. */
export function formOfTimes({ startedAt, updates }: Incident, { format }: View): NearForm {
  return updates.every(({ createdAt }) => format.dayOf(createdAt) === format.dayOf(startedAt)) ? 'short' : 'day';
}

interface TimelineProps {
  readonly incident: Incident;
  /** What the check found that detected it. Default: nothing is said of it. */
  readonly reason?: string | null;
}

export function Timeline({ incident, reason = null }: TimelineProps) {
  const view = useView();
  const { t, format } = view;
  const { startedAt, confirmingChecks = null } = incident;
  const shown = { near: startedAt, form: formOfTimes(incident, view) };
  return (
    <ol class="rail end">
      {updatesOf(incident).map(({ id, state, body, createdAt }) => (
        <Step key={id} {...stepOf(incident, state, t)} at={createdAt} {...shown}>
          <Prose text={body} format="markdown" />
        </Step>
      ))}
      {confirmingChecks === null ? null : (
        <Step icon="outage" tone="outage" word={t.incident.foundBy(confirmingChecks, format.number(confirmingChecks))} at={startedAt} {...shown}>
          {reason === null ? null : <p dir="auto">{reasonOf(reason, t)}</p>}
        </Step>
      )}
    </ol>
  );
}

interface StepLook {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly word: string;
}

/** Checks find an outage, but do not investigate it. If they stop, its end is not known. */
function stepOf({ incidentKind, endUncertain }: Incident, state: Incident['state'], { incident: words }: Messages): StepLook {
  const [icon, tone] = STEPS[state];
  if (state === 'resolved' && endUncertain === true) return { icon: 'unknown', tone: 'unknown', word: words.noEnd };
  return { icon, tone, word: incidentKind === 'detected' && state === 'investigating' ? words.detected : words.states[state] };
}

interface StepProps extends StepLook {
  readonly at: Instant;
  /** When the incident began, which stands above or beside the steps in full. */
  readonly near: Instant;
  readonly form: NearForm;
  readonly children: ComponentChildren;
}

function Step({ icon, tone, word, at, near, form, children }: StepProps) {
  return (
    <li>
      <Node icon={icon} tone={tone} />
      <div class="step">
        <b>{word}</b>
        <TimeNear at={at} near={near} form={form} />
        {children}
      </div>
    </li>
  );
}
