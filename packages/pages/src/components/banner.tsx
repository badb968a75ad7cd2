import type { ServiceState, ServiceStatus, StatusOverview } from '@vitrine/core';
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
      <h1 {...expiry.text}>{t.overall[state]}</h1>
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

function reasonOf(state: ServiceState, services: readonly ServiceStatus[], { t }: View): string {
  if (services.length === 0) return t.overallReason.none;
  if (state === 'operational') return '';
  const names = services.filter(({ currentState }) => currentState === state).map(serviceName);
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const text = names.length > MOST_NAMES ? `${shown} ${t.overallReason.others(names.length - MOST_NAMES)}` : shown;
  return state === 'unknown' ? t.overallReason.unchecked(text) : t.overallReason.affected(text);
}
