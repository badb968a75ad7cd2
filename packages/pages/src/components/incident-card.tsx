import type { Incident } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import { FullTime, Time } from './time.js';

/** An incident in a list, with its newest update. */
export function IncidentCard({ incident, level = 3 }: { readonly incident: Incident; readonly level?: 2 | 3 }) {
  const { t, links } = useView();
  const Heading = level === 2 ? 'h2' : 'h3';
  const [newest] = [...incident.updates].sort((a, b) => b.createdAt - a.createdAt);
  return (
    <article class={`incident ${incident.impact}`}>
      <Heading class="title">
        <a href={links.record('incident', incident.id)} dir="auto">
          {incident.title.trim() === '' ? t.record.untitled : incident.title}
        </a>
      </Heading>
      <IncidentFacts incident={incident} />
      {newest === undefined ? null : (
        <p class="plain" dir="auto">
          {newest.body}
        </p>
      )}
    </article>
  );
}

/** State, impact, times and services in one line. */
export function IncidentFacts({ incident }: { readonly incident: Incident }) {
  const { t, format } = useView();
  const { state, impact, services, incidentKind, confirmingChecks = null } = incident;
  return (
    <div class="meta">
      <span class={`tag ${impact}`}>{t.incident.states[state]}</span>
      {incidentKind === 'detected' ? <span class="tag">{t.incident.detected}</span> : null}
      <span>
        {t.incident.impact}: {t.incident.impacts[impact]}
      </span>
      <IncidentTimes incident={incident} />
      {confirmingChecks === null ? null : <span>{t.incident.foundBy(confirmingChecks, format.number(confirmingChecks))}</span>}
      {services.length === 0 ? null : <span dir="auto">{services.map(serviceName).join(', ')}</span>}
    </div>
  );
}

function IncidentTimes({ incident }: { readonly incident: Incident }) {
  const { scheduledFor, scheduledUntil, startedAt, resolvedAt, endUncertain } = incident;
  const { t } = useView();
  if (scheduledFor !== null)
    return (
      <span>
        {t.incident.scheduled} <FullTime at={scheduledFor} />
        {scheduledUntil === null ? null : (
          <>
            {' '}
            {t.incident.until} <FullTime at={scheduledUntil} />
          </>
        )}
      </span>
    );
  return (
    <span>
      {t.incident.started} <Time at={startedAt} />
      {resolvedAt === null ? null : (
        <>
          , {endUncertain === true ? t.incident.endUnknown : t.incident.resolved} <Time at={resolvedAt} />
        </>
      )}
    </span>
  );
}
