import { type Instant, overallStateChangesAt, serviceChangesAt, type ServiceState, type ServiceStatus, type StatusOverview } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import type { Messages } from '../messages/messages.js';
import { useView, type View } from '../view.js';

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

/** A colour that stands for something good, pending, bad, planned or neutral. */
export type Tone = ServiceState;

/** A short word about a record. @param props.tone default: neutral */
export function Tag({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={tone === undefined ? 'tag' : `tag ${tone}`}>{children}</span>;
}

/** What a table says of a word of a record; `undefined`: nothing. Every object also has properties such as `constructor`. */
export function said<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** What a check found, in the language of the site. A word that is not one of Vitrine's own is shown as it is. */
export function reasonOf(word: string, t: Messages): string {
  const status = /^http ([1-5]\d\d)$/.exec(word)?.[1];
  return status === undefined ? (said(t.reasons, word) ?? word) : t.httpStatus(status, status >= '400');
}

const CHANNELS: Readonly<Record<string, Tone>> = {
  stable: 'operational',
  rc: 'degraded',
  prerelease: 'degraded',
  beta: 'maintenance',
  alpha: 'maintenance',
};

const FINDINGS: Readonly<Record<string, Tone>> = { CONFIRMED: 'maintenance', RELEASED: 'operational' };

const BUILDS: Readonly<Record<string, Tone>> = { succeeded: 'operational', failed: 'outage', running: 'maintenance', queued: 'maintenance' };

/** The colour of a type of release, a status of a finding or a state of a build. Unknown ones are neutral. */
export const toneOf = {
  channel: (releaseType: string): Tone => said(CHANNELS, releaseType) ?? 'unknown',
  finding: (status: string): Tone => said(FINDINGS, status) ?? 'unknown',
  build: (state: string): Tone => said(BUILDS, state) ?? 'unknown',
};

/** For an element that shows a state: from when on the script of the pages replaces it, and the text that it writes then. */
export interface Expiry {
  readonly until: { readonly 'data-until'?: string };
  readonly text: { readonly 'data-expired'?: string };
}

const NEVER: Expiry = { until: {}, text: {} };

/**
 * When the evidence for the state of a service ends. Only a copy needs to know: it cannot ask for the next state, and must not look current if the job
 * that makes it has died.
 */
export function serviceExpiry(service: ServiceStatus, view: View): Expiry {
  return expiryOf(view, service.lastCheckedAt, (now) => serviceChangesAt(service, now));
}

export function overallExpiry(status: StatusOverview | null, view: View): Expiry {
  return status === null ? NEVER : expiryOf(view, status.observedAt, (now) => overallStateChangesAt(status, now));
}

function expiryOf({ copy, format, t }: View, checkedAt: Instant | null, changesAt: (now: Instant) => Instant | null): Expiry {
  const moment = copy === null ? null : changesAt(copy.madeAt);
  if (moment === null || checkedAt === null) return NEVER;
  return { until: { 'data-until': format.iso(moment) }, text: { 'data-expired': t.copy.expired(format.time(checkedAt)) } };
}
