import { earliestOf, type Instant } from '../domain/shared/instant.js';
import type { Check } from '../domain/status/check.js';
import { worstOf, type ServiceState } from '../domain/status/service-state.js';

/** The worst state among the newest checks of all sources that are still evidence; `unknown` if none is. Never operational without a check. */
export function currentState(newest: readonly Check[], now: Instant): ServiceState {
  return worstOf(newest.filter((check) => now < validUntil(check)).map((check) => check.state));
}

/** The first moment after now at which {@link currentState} of the same checks gives another state; `null` if there is none. */
export function currentStateChangesAt(newest: readonly Check[], now: Instant): Instant | null {
  const state = currentState(newest, now);
  return earliestOf(newest.map(validUntil).filter((moment) => moment > now && currentState(newest, moment) !== state));
}

/** The first moment at which a check is no evidence any more. */
export function validUntil({ checkedAt, validForMs }: Check): Instant {
  return checkedAt + validForMs;
}

/** The worst state among the newest known check of each source, of any age; `null` if there is none. */
export function lastKnownState(newestKnown: readonly Check[]): ServiceState | null {
  return newestKnown.length === 0 ? null : worstOf(newestKnown.map((check) => check.state));
}
