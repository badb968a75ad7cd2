import { earliestOf, type Instant } from '../domain/shared/instant.js';
import { UNCONFIRMED, type Check } from '../domain/status/check.js';
import type { ServiceEvidence } from '../domain/status/service-evidence.js';
import { worstOf, type ServiceState } from '../domain/status/service-state.js';

/** The check of each source that decides the state: the newest one, or the newest known one while a failure is unconfirmed. */
export function decidingChecks({ newest, newestKnown }: Pick<ServiceEvidence, 'newest' | 'newestKnown'>): readonly Check[] {
  return newest.map((check) => {
    if (check.rawState !== UNCONFIRMED) return check;
    return newestKnown.find(({ provenance }) => provenance.source === check.provenance.source) ?? check;
  });
}

/** The worst state among the {@link decidingChecks} that are still evidence; `unknown` if none is. Never operational without a check. */
export function currentState(deciding: readonly Check[], now: Instant): ServiceState {
  return worstOf(deciding.filter((check) => now < validUntil(check)).map((check) => check.state));
}

/** The check that decides the {@link currentState}: the newest of those with the worst state; `null` if none is valid. */
export function decidingCheck(deciding: readonly Check[], now: Instant): Check | null {
  const state = currentState(deciding, now);
  const worst = deciding.filter((check) => now < validUntil(check) && check.state === state);
  return worst.reduce<Check | null>((newest, check) => (newest !== null && newest.checkedAt >= check.checkedAt ? newest : check), null);
}

/** The last moment up to now at which {@link currentState} changed because a check was no longer valid; `null` if there is none. */
export function lastExpiryUntil(deciding: readonly Check[], now: Instant): Instant | null {
  const ended = deciding.map(validUntil).filter((moment) => moment <= now && currentState(deciding, moment) !== currentState(deciding, moment - 1));
  return ended.length === 0 ? null : Math.max(...ended);
}

/** The first moment after now at which {@link currentState} of the same checks gives another state; `null` if there is none. */
export function currentStateChangesAt(deciding: readonly Check[], now: Instant): Instant | null {
  const state = currentState(deciding, now);
  return earliestOf(deciding.map(validUntil).filter((moment) => moment > now && currentState(deciding, moment) !== state));
}

/** The first moment at which a check is no evidence any more. */
export function validUntil({ checkedAt, validForMs }: Check): Instant {
  return checkedAt + validForMs;
}

/** The worst state among the newest known check of each source, of any age; `null` if there is none. */
export function lastKnownState(newestKnown: readonly Check[]): ServiceState | null {
  return newestKnown.length === 0 ? null : worstOf(newestKnown.map((check) => check.state));
}
