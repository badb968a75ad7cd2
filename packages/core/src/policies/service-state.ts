import type { Instant } from '../domain/shared/instant.js';
import type { Check } from '../domain/status/check.js';
import { worstOf, type ServiceState } from '../domain/status/service-state.js';

/** The worst of the newest checks of those sources whose newest check is still evidence; `unknown` when none is. Never operational without a check. */
export function currentState(newest: readonly Check[], now: Instant): ServiceState {
  return worstOf(newest.filter((check) => now < check.checkedAt + check.validForMs).map((check) => check.state));
}

/** The worst of each source's newest check that was not unknown, of any age; `null` when there was none. */
export function lastKnownState(newestKnown: readonly Check[]): ServiceState | null {
  return newestKnown.length === 0 ? null : worstOf(newestKnown.map((check) => check.state));
}
