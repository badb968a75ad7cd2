import { overallStateChangesAt, serviceChangesAt, type Instant, type ServiceStatus, type StatusOverview } from '@vitrine/core';
import type { View } from '../view.js';

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

/** The same for the overall state. */
export function overallExpiry(status: StatusOverview | null, view: View): Expiry {
  return status === null ? NEVER : expiryOf(view, status.observedAt, (now) => overallStateChangesAt(status, now));
}

function expiryOf({ copy, format, t }: View, checkedAt: Instant | null, changesAt: (now: Instant) => Instant | null): Expiry {
  const moment = copy === null ? null : changesAt(copy.madeAt);
  if (moment === null || checkedAt === null) return NEVER;
  return { until: { 'data-until': format.iso(moment) }, text: { 'data-expired': t.copy.expired(format.time(checkedAt)) } };
}
