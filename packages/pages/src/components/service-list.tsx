import type { ServiceState, ServiceStatus, UptimeWindowName } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import { Bars, Hatch } from './bars.js';
import { serviceExpiry } from './expiry.js';
import { State } from './state.js';
import { UptimeLine } from './uptime-line.js';

/** The state of each day of each service by its key, newest first; `null`: they could not be read. */
export type DaysByService = ReadonlyMap<string, readonly ServiceState[]> | null;

interface ServiceListProps {
  readonly services: readonly ServiceStatus[];
  readonly days: DaysByService;
  /** The window of the uptime; by default the one that every service has, with its coverage. */
  readonly window?: UptimeWindowName;
}

/** Each service with its state, its bars and its uptime. */
export function ServiceList({ services, days, ...shown }: ServiceListProps) {
  const { t } = useView();
  if (services.length === 0) return <p class="soft">{t.noServices}</p>;
  return (
    <>
      <Hatch />
      <ul class="services">
        {services.map((service) => (
          <ServiceRow key={service.key} service={service} days={days?.get(service.key) ?? null} {...shown} />
        ))}
      </ul>
    </>
  );
}

interface ServiceRowProps extends Pick<ServiceListProps, 'window'> {
  readonly service: ServiceStatus;
  /** `null`: they could not be read. */
  readonly days: readonly ServiceState[] | null;
}

function ServiceRow({ service, days, window }: ServiceRowProps) {
  const view = useView();
  const { t, links } = view;
  const uptime =
    window === undefined ? { figure: service, coveragePercent: service.coveragePercent } : { figure: service.windows[window], coveragePercent: null };
  return (
    <li>
      <a class="name" href={links.record('status-service', service.key)}>
        {serviceName(service)}
      </a>
      <State state={service.currentState} expiry={serviceExpiry(service, view)} />
      {days === null ? <p class="soft wide">{t.bars.unread}</p> : <Bars name={serviceName(service)} days={days} />}
      <div class="scale">
        <span>{t.bars.ago(Math.max(0, (days?.length ?? 0) - 1))}</span>
        <UptimeLine {...uptime} />
        <span>{t.bars.today}</span>
      </div>
    </li>
  );
}
