import type { ServiceState } from '@vitrine/core';
import { useView } from '../view.js';
import type { Expiry } from './expiry.js';

interface StateProps {
  readonly state: ServiceState;
  /** For the present state of a service. */
  readonly expiry?: Expiry;
}

/** A state as a word, with a colour and a shape of its own. */
export function State({ state, expiry }: StateProps) {
  return (
    <span class={`state ${state}`} {...expiry?.until} {...expiry?.text}>
      {useView().t.states[state]}
    </span>
  );
}

/** Each state has another shape, because some people cannot tell the colours apart. */
const SHAPES: Readonly<Record<ServiceState, string>> = {
  operational: 'M20 2a18 18 0 1 0 .01 0zM12 20.5l5.5 5.5L28.5 14.5',
  degraded: 'M20 4 38 36H2zM20 15v10M20 29.5v1.5',
  outage: 'M13 2h14l11 11v14L27 38H13L2 27V13zM14 14l12 12M26 14 14 26',
  maintenance: 'M20 2 38 20 20 38 2 20zM20 12v16M14 20h12',
  unknown: 'M20 2a18 18 0 1 0 .01 0zM15 15.5a5 5 0 1 1 7 4.6c-1.4.7-2 1.6-2 3.4M20 28.5v1.5',
};

/** The state of everything as a picture. Its meaning stands beside it as text. */
export function StateIcon({ state }: { readonly state: ServiceState }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 40 40"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="3.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={SHAPES[state]} />
    </svg>
  );
}
