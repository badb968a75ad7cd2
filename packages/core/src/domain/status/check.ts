import { DAY, MINUTE, SECOND, type Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';
import type { ServiceState } from './service-state.js';

/** One stored observation of a service by one source. Its source is `provenance.source`. */
export interface Check {
  readonly kind: 'check';
  readonly serviceKey: string;
  readonly state: ServiceState;
  /** The provider's own word. */
  readonly rawState: string;
  readonly checkedAt: Instant;
  /** Whole milliseconds, 0 to 86,400,000. */
  readonly responseTimeMs: number | null;
  /** How long it counts as evidence, in milliseconds; by {@link validityOf}. */
  readonly validForMs: number;
  readonly provenance: Provenance;
}

export const MAX_RESPONSE_TIME_MS = DAY;
/** What a check imported without a validity gets, and the least one may have. */
export const MIN_VALIDITY_MS = 15 * MINUTE;
export const MAX_VALIDITY_MS = DAY;
/** Clocks differ: a check so far ahead counts as at now; a later one does not count yet. */
export const CHECK_CLOCK_TOLERANCE_MS = 60 * SECOND;

/** A check is evidence for three intervals of its source, at least 15 minutes and at most a day. */
export function validityOf(intervalMs: number): number {
  return Math.min(MAX_VALIDITY_MS, Math.max(MIN_VALIDITY_MS, 3 * intervalMs));
}
