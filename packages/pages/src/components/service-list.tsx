import type { DayStatus, ServiceStatus } from '@vitrine/core';
import { serviceName } from '../text/service-name.js';
import { useView } from '../view.js';
import { Bars, Hatch } from './bars.js';
import { serviceExpiry } from './expiry.js';
import { State } from './state.js';
import { UptimeLine } from './uptime-line.js';

/** The days of each service by its key, newest first; `null`: they could not be read. */
export type DaysByService = ReadonlyMap<string, readonly DayStatus[]> | null;

interface ServiceListProps {
  readonly services: readonly ServiceStatus[];
  readonly days: DaysByService;
}

/** Each service with its state, its bars and its uptime. */
export function ServiceList({ services, days }: ServiceListProps) {
  const { t } = useView();
  if (services.length === 0) return <p class="soft">{t.noServices}</p>;
  return (
    <>
      <Hatch />
      <ul class="services">
        {services.map((service) => (
          <ServiceRow key={service.key} service={service} days={days?.get(service.key) ?? null} />
        ))}
      </ul>
    </>
  );
}

function ServiceRow({ service, days }: { readonly service: ServiceStatus; readonly days: readonly DayStatus[] | null }) {
  const view = useView();
  const { t, links } = view;
  return (
    <li>
      <a class="name" href={links.record('status-service', service.key)}>
        {serviceName(service)}
      </a>
      <State state={service.currentState} expiry={serviceExpiry(service, view)} />
      {days === null ? <p class="soft wide">{t.bars.unread}</p> : <Bars name={serviceName(service)} days={days} />}
      <div class="scale">
        <span class="long">{t.bars.ago(days?.length ?? 90)}</span>
        <span class="short">{t.bars.ago(30)}</span>
        <UptimeLine service={service} />
        <span>{t.bars.today}</span>
      </div>
    </li>
  );
}
