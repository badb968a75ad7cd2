import { worstOf, type Check, type ServiceStatus, type UptimeWindowName } from '@vitrine/core';
import { serviceName } from '../text/formatter.js';
import { useView, type View } from '../view.js';
import type { JSX } from 'preact';
import { Sparkline } from './chart.js';
import { TitleLink } from './entry-list.js';
import { reasonOf, serviceExpiry, State } from './state.js';
import { Icon } from './icon.js';
import { Axis, Legend, Strip, type StripDay } from './strip.js';
import { Lasting, Time } from './inline.js';

/** The days of a service, oldest first, of all services the same; `null`: they could not be read. They are asked only for services that a page shows. */
export type DaysOf = ((serviceKey: string) => readonly StripDay[]) | null;

interface ServicesProps {
  readonly services: readonly ServiceStatus[];
  /** The keys of those that have a row; default: all. The others count in the state of their group. */
  readonly shown?: ReadonlySet<string>;
  readonly days: DaysOf;
  /** The window of the uptime, which is the window of the days. */
  readonly window: UptimeWindowName;
}

/** Services in their groups. All strips have the same time axis, so trouble that services share lines up. */
export function Services({ services, shown, days, window }: ServicesProps) {
  const view = useView();
  const { t } = view;
  const [first] = services;
  if (first === undefined) return <p class="soft">{t.noServices}</p>;
  const isTimed = services.some(({ recentMs }) => recentMs.some((median) => median !== null));
  const rows = (some: readonly ServiceStatus[]) =>
    some
      .filter(({ key }) => shown?.has(key) !== false)
      .map((service) => <Row key={service.key} service={service} days={days?.(service.key) ?? null} window={window} isTimed={isTimed} />);
  return (
    <div class={isTimed ? 'matrix timed' : 'matrix'}>
      {days === null ? null : <Axis days={days(first.key)} headings={[t.windows[window], ...(isTimed ? [t.bars.recent] : [])]} />}
      <Groups groups={groupsOf(services, view)} rows={rows} />
      <Legend />
    </div>
  );
}

/** The groups by their first services. Own services and providers without a group have one each; the latter is the last. */
function groupsOf(services: readonly ServiceStatus[], { t }: View) {
  const isOther = ({ group, dependency }: ServiceStatus): boolean => group === null && dependency;
  const placeOf = ({ order }: ServiceStatus): number => order ?? Infinity;
  const sorted = [...services].sort((a, b) => Number(isOther(a)) - Number(isOther(b)) || (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  const nameOf = ({ group, dependency }: ServiceStatus): string => group ?? (dependency ? t.providers : t.ownServices);
  return [...new Set(sorted.map(nameOf))].map((name, index) => {
    const all = sorted.filter((service) => nameOf(service) === name);
    return { id: `group-${String(index + 1)}`, name, isOther: all.every(isOther), services: all };
  });
}

interface GroupsProps {
  readonly groups: ReturnType<typeof groupsOf>;
  readonly rows: (services: readonly ServiceStatus[]) => readonly JSX.Element[];
}

/** A single group without a name is a list without a heading. */
function Groups({ groups, rows }: GroupsProps) {
  const [only] = groups.length === 1 ? groups : [];
  if (only?.services[0]?.group === null) return <ul class="panel">{rows(only.services)}</ul>;
  return (
    <>
      {groups.map((group) => (
        <Group key={group.name} {...group} rows={rows(group.services)} />
      ))}
    </>
  );
}

interface GroupProps {
  /** Names it in addresses; the same on each page that shows these services. */
  readonly id: string;
  readonly name: string;
  /** Providers without a name of a group. */
  readonly isOther: boolean;
  readonly services: readonly ServiceStatus[];
  readonly rows: readonly JSX.Element[];
}

function Group({ id, name, isOther, services, rows: own }: GroupProps) {
  const { t, links, format } = useView();
  const worst = worstOf(services.map(({ currentState }) => currentState));
  const count = services.filter(({ currentState }) => currentState === worst).length;
  const isOpen = own.length > 0 && (worst !== 'operational' || !isOther);
  return (
    <details class="group panel" open={isOpen} id={id}>
      <summary>
        <Icon name="chevron" class="chevron" />
        <h3 dir="auto">{name}</h3>
        <span class="soft small wide">{t.overallReason.services(services.length, format.number(services.length))}</span>
        <State
          state={worst}
          word={worst === 'operational' ? t.allOperational : t.someAre(String(count), String(services.length), t.stateWords[worst])}
        />
      </summary>
      {own.length > 0 ? <ul>{own}</ul> : null}
      {own.length < services.length ? (
        <p class="pad">
          <a href={links.to('/status', id)}>{t.allServices(format.number(services.length))}</a>
        </p>
      ) : null}
    </details>
  );
}

interface RowProps extends Pick<ServicesProps, 'window'> {
  readonly service: ServiceStatus;
  /** `null`: they could not be read. */
  readonly days: readonly StripDay[] | null;
  /** Whether response times are shown. */
  readonly isTimed: boolean;
}

function Row({ service, days, window, isTimed }: RowProps) {
  const view = useView();
  const { t, links, format } = view;
  const { uptimePercent } = service.windows[window];
  const href = links.record('status-service', service.key);
  return (
    <li class={`row ${service.currentState}`}>
      <TitleLink class="name" href={href} text={serviceName(service)} />
      <State state={service.currentState} expiry={serviceExpiry(service, view)} more={<Since service={service} />} />
      {days === null ? <span class="unread soft small">{t.bars.unread}</span> : <Strip service={service} days={days} href={href} />}
      <span class="up">
        {uptimePercent === null ? '–' : format.percent(uptimePercent)}
        <span class="note"> {t.bars.uptime(t.windows[window])}</span>
      </span>
      {isTimed ? <ResponseTime service={service} /> : null}
    </li>
  );
}

/** The words for outages in which no answer came. In others, such as `http 503`, the service answers, but not as it should. */
const SILENT: ReadonlySet<string> = new Set(['timeout', 'refused', 'dns']);

/** The median response times of the last 24 hours as a line, and the newest one. */
function ResponseTime({ service: { recentMs, evidence, currentState, stateReason } }: { readonly service: ServiceStatus }) {
  const { t, format } = useView();
  const newest = evidence.reduce<Check | null>((last, check) => (last === null || check.checkedAt > last.checkedAt ? check : last), null);
  const time = currentState === 'outage' ? null : (newest?.responseTimeMs ?? null);
  const isSilent = currentState === 'outage' && stateReason !== null && SILENT.has(stateReason);
  const timeText = time === null ? (isSilent ? t.bars.noAnswer : '–') : t.service.milliseconds(format.number(time));
  return (
    <span class="latency">
      <Sparkline values={recentMs} />
      <b>
        <span class="hidden">{t.service.response}: </span>
        {timeText}
      </b>
    </span>
  );
}

/** Since when a service has its state, and why it is not operational. */
export function Since({ service: { currentState, stateReason, stateSince, lastCheckedAt } }: { readonly service: ServiceStatus }) {
  const { t } = useView();
  const isExplained = currentState !== 'operational' && stateReason !== null && stateReason !== currentState;
  const at = currentState === 'unknown' ? lastCheckedAt : stateSince;
  return (
    <>
      {isExplained ? <span dir="auto">{`${reasonOf(stateReason, t)}${at === null ? '' : ', '}`}</span> : null}
      {at === null ? null : currentState === 'unknown' ? (
        <>
          {t.bars.lastChecked} <Time at={at} />
        </>
      ) : (
        <Lasting since={at} near={lastCheckedAt} isLong={currentState === 'operational'} />
      )}
    </>
  );
}
