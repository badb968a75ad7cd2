import type { Instant } from '../domain/shared/instant.js';
import type { Check } from '../domain/status/check.js';
import { worstOf, type ServiceState } from '../domain/status/service-state.js';

/** The worst state among the newest checks of all sources that are still evidence; `unknown` if none is. Never operational without a check. */
export function currentState(newest: readonly Check[], now: Instant): ServiceState {
  return worstOf(newest.filter((check) => now < check.checkedAt + check.validForMs).map((check) => check.state));
}

/** The worst state among the newest known check of each source, of any age; `null` if there is none. */
export function lastKnownState(newestKnown: readonly Check[]): ServiceState | null {
  return newestKnown.length === 0 ? null : worstOf(newestKnown.map((check) => check.state));
}
