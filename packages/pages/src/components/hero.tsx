import { type Incident, isUnresolved, type ServiceState, type ServiceStatus, type StatusOverview, withoutCovered } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import { Time } from './inline.js';
import { Since } from './services.js';
import { CopyNotice, LAST_GOOD_PLACE, PageNotice } from './notices.js';
import { type Expiry, overallExpiry } from './state.js';
import type { Href } from '../page-links.js';
import { serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';

/** A page above this one. */
export interface Crumb {
  readonly label: string;
  readonly href: Href;
}

interface HeroProps {
  readonly heading: ComponentChildren;
  /** Colours the top of the page and adds the icon of the state. */
  readonly state?: ServiceState;
  /** Replaces the heading in a copy of the site when the evidence has expired. */
  readonly expiry?: Expiry;
  /** The pages above this one, below the overview. The overview itself comes first in any case. */
  readonly crumbs?: readonly Crumb[];
  readonly lead?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly meta?: ComponentChildren;
  /** Whether the page is about one kind of records, so that a notice about late or missing ones belongs here. */
  readonly hasNotice?: boolean;
  /** What follows within the tinted band. */
  readonly children?: ComponentChildren;
}

/** The head of a page: where it belongs, its heading, and the most important facts. */
export function Hero(props: HeroProps) {
  const { state, expiry, crumbs, hasNotice = false, children } = props;
  const isLive = state !== undefined && { id: 'banner', 'data-live': '', 'data-state': state };
  return (
    <section class={state === undefined ? 'hero' : `hero ${state}`} aria-labelledby="h1" {...isLive} {...expiry?.until}>
      <div class="wrap">
        {crumbs === undefined ? null : <Crumbs crumbs={crumbs} />}
        <Lead {...props} />
        <span dangerouslySetInnerHTML={{ __html: LAST_GOOD_PLACE }} hidden />
        <CopyNotice />
        {hasNotice ? <PageNotice /> : null}
        {children}
      </div>
    </section>
  );
}

function Lead({ heading, state, expiry, lead, tools, meta }: HeroProps) {
  return (
    <div class="lead">
      {state === undefined ? null : (
        <span class="badge">
          <Icon name={state} />
        </span>
      )}
      <h1 id="h1" dir="auto" {...expiry?.text}>
        {heading}
      </h1>
      {isGiven(lead) ? <p>{lead}</p> : null}
      {isGiven(meta) ? <div class="meta">{meta}</div> : null}
      {isGiven(tools) ? <div class="tools">{tools}</div> : null}
    </div>
  );
}

function isGiven(content: ComponentChildren): boolean {
  return content !== undefined && content !== null && (!Array.isArray(content) || content.length > 0);
}

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  const { t, site, links } = useView();
  return (
    <nav class="crumbs" aria-label={t.crumbs}>
      <ol>
        {[{ label: site.title, href: links.to('/') }, ...crumbs].map(({ label, href }) => (
          <li key={label}>
            <a href={href} dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export function PlainHero({ children }: { readonly children?: ComponentChildren }) {
  const { site } = useView();
  return (
    <Hero heading={site.title} lead={site.description === null ? null : <span dir="auto">{site.description}</span>}>
      {children}
    </Hero>
  );
}

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

/** Why a single service is not operational, and since when. */
function OnlyReason({ services: [only, ...others] }: { readonly services: readonly ServiceStatus[] }) {
  return only === undefined || others.length > 0 ? null : (
    <>
      <Since service={only} />.{' '}
    </>
  );
}

function Reason({ status }: { readonly status: StatusOverview | null }) {
  const { t, format } = useView();
  if (status === null) return <>{t.overallReason.unreadable}</>;
  const { services, overallState, observedAt } = status;
  if (services.length === 0) return <>{t.overallReason.none}</>;
  const good = services.filter(({ currentState }) => currentState === 'operational').length;
  const own = services.filter(({ dependency }) => !dependency);
  const bad = own.filter(({ currentState }) => currentState === overallState);
  // The heading counts the worst ones only. Without the others, the numbers would not add up.
  const affected = [...bad, ...own.filter(({ currentState }) => currentState !== overallState && !['operational', 'unknown'].includes(currentState))];
  const count = format.number(services.length);
  return (
    <>
      {overallState === 'operational' || overallState === 'unknown' ? null : <OnlyReason services={bad} />}
      {overallState === 'operational'
        ? `${t.overallReason.services(services.length, count)}.`
        : `${t.overallReason.working(format.number(good), count)}${affected.length < 2 ? '' : ` ${t.overallReason.affected(namesOf(affected.map(serviceName), t.overallReason.others))}`}`}{' '}
      {observedAt === null ? null : (
        <>
          {t.overallReason.lastChecked} <Time at={observedAt} />.
        </>
      )}
    </>
  );
}

function namesOf(names: readonly string[], others: (count: string) => string): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} ${others(String(names.length - MOST_NAMES))}` : shown;
}
