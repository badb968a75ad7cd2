import type { ServiceState } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { useView } from '../view.js';
import type { Expiry } from './expiry.js';
import { Icon } from './icon.js';

interface StateProps {
  readonly state: ServiceState;
  /** The word; default: the name of the state. */
  readonly word?: string;
  /** A short text beside the word, such as how long the state lasts. */
  readonly more?: ComponentChildren;
  /** For the present state of a service. */
  readonly expiry?: Expiry;
}

/** A state as a word, with its colour and its shape. */
export function State({ state, word, more, expiry }: StateProps) {
  const { t } = useView();
  return (
    <span class={`state ${state}`} {...expiry?.until} {...expiry?.text}>
      <Icon name={state} />
      {word ?? t.states[state]}
      {more === undefined || more === null ? null : <small>{more}</small>}
    </span>
  );
}

/** The state of everything as a picture. The heading beside it says the same. */
export function StateBadge({ state }: { readonly state: ServiceState }) {
  return (
    <span class="badge">
      <Icon name={state} />
    </span>
  );
}
