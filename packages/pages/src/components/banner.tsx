import { withoutCovered, type Incident, type ServiceState, type ServiceStatus, type StatusOverview } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView, type View } from '../view.js';
import { overallExpiry } from './expiry.js';
import { StateIcon } from './state.js';
import { Time } from './time.js';

const MOST_NAMES = 5;

/** The state of everything in one sentence, with the reason. @param status `null`: it could not be read */
export function Banner({ status }: { readonly status: StatusOverview | null }) {
  const view = useView();
  const { t, links } = view;
  const state = status?.overallState ?? 'unknown';
  const expiry = overallExpiry(status, view);
  return (
    <section class={`card banner ${state}`} id="banner" data-live="" data-state={state} {...expiry.until}>
      <StateIcon state={state} />
      <h1 {...expiry.text}>{headingOf(state, status, view)}</h1>
      <p class="soft">
        {status === null ? t.overallReason.unreadable : reasonOf(state, status.services, view)}{' '}
        {status === null || status.observedAt === null ? null : (
          <>
            {t.overallReason.services(status.services.length, view.format.number(status.services.length))}, {t.overallReason.lastChecked}{' '}
            <Time at={status.observedAt} />.{' '}
          </>
        )}
        <a href={links.to('/about')}>{t.howMeasured}</a>
      </p>
    </section>
  );
}

/** People may declare an incident that no check has noticed. */
function headingOf(state: ServiceState, status: StatusOverview | null, { t, format }: View): string {
  const open = status === null ? 0 : openIncidents(status);
  return state === 'operational' && open > 0 ? t.overallButIncidents(open, format.number(open)) : t.overall[state];
}

/** Those of providers do not count, as their services do not count in the overall state. */
function openIncidents({ incidents: { current }, services }: StatusOverview): number {
  const others = new Set(services.filter(({ dependency }) => dependency).map(({ key }) => key));
  const isOwn = (incident: Incident): boolean => incident.services.length === 0 || incident.services.some(({ key }) => !others.has(key));
  return withoutCovered(current).filter((incident) => incident.incidentKind !== 'maintenance' && isOwn(incident)).length;
}

function reasonOf(state: ServiceState, services: readonly ServiceStatus[], { t }: View): string {
  if (services.length === 0) return t.overallReason.none;
  if (state === 'operational') return '';
  const names = services.filter(({ currentState }) => currentState === state).map(serviceName);
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const text = names.length > MOST_NAMES ? `${shown} ${t.overallReason.others(names.length - MOST_NAMES)}` : shown;
  return state === 'unknown' ? t.overallReason.unchecked(text) : t.overallReason.affected(text);
}
