import { isUnresolved, withoutCovered, type Incident, type ServiceState, type StatusOverview } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { serviceName } from '../text/service-name.js';
import { useView, type View } from '../view.js';
import { overallExpiry } from './expiry.js';
import { Hero } from './hero.js';
import { Time } from './time.js';

const MOST_NAMES = 3;

/** The state of everything in one sentence, with its reason. @param props.status `null`: it could not be read */
export function StatusHero({ status, children }: { readonly status: StatusOverview | null; readonly children?: ComponentChildren }) {
  const view = useView();
  const state = status?.overallState ?? 'unknown';
  return (
    <Hero heading={headingOf(state, status, view)} state={state} expiry={overallExpiry(status, view)} lead={<Reason status={status} />}>
      {children}
    </Hero>
  );
}

/** One service is named. */
function headingOf(state: ServiceState, status: StatusOverview | null, view: View): string {
  const { t, format } = view;
  if (status === null) return t.overall[state];
  const affected = status.services.filter(({ currentState, dependency }) => currentState === state && !dependency);
  const [only] = affected;
  if (state === 'operational' || only === undefined) return generalHeading(state, status, view);
  return affected.length === 1 ? t.overallOne[state](serviceName(only)) : t.overallMany[state](format.number(affected.length));
}

/** People may declare an incident that no check has noticed. */
function generalHeading(state: ServiceState, status: StatusOverview, { t, format }: View): string {
  const open = state === 'operational' ? openIncidents(status) : 0;
  return open > 0 ? t.overallButIncidents(open, format.number(open)) : t.overall[state];
}

/** Those of providers do not count, as their services do not count in the overall state. */
function openIncidents({ incidents: { current }, services }: StatusOverview): number {
  const others = new Set(services.filter(({ dependency }) => dependency).map(({ key }) => key));
  const isOwn = (incident: Incident): boolean => incident.services.length === 0 || incident.services.some(({ key }) => !others.has(key));
  return withoutCovered(current).filter((incident) => isUnresolved(incident) && incident.incidentKind !== 'maintenance' && isOwn(incident)).length;
}

function Reason({ status }: { readonly status: StatusOverview | null }) {
  const { t, format } = useView();
  if (status === null) return <>{t.overallReason.unreadable}</>;
  const { services, overallState, observedAt } = status;
  if (services.length === 0) return <>{t.overallReason.none}</>;
  const good = services.filter(({ currentState }) => currentState === 'operational').length;
  const bad = services.filter(({ currentState, dependency }) => currentState === overallState && !dependency);
  const count = format.number(services.length);
  return (
    <>
      {overallState === 'operational'
        ? `${t.overallReason.services(services.length, count)}.`
        : `${t.overallReason.working(format.number(good), count)}${bad.length < 2 ? '' : ` ${t.overallReason.affected(namesOf(bad.map(serviceName), t.overallReason.others))}`}`}{' '}
      {observedAt === null ? null : (
        <>
          {t.overallReason.lastChecked} <Time at={observedAt} />.
        </>
      )}
    </>
  );
}

function namesOf(names: readonly string[], others: (count: number) => string): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} ${others(names.length - MOST_NAMES)}` : shown;
}
