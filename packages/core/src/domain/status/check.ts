import { DAY, MINUTE, SECOND, type Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';
import type { ServiceState } from './service-state.js';

/** One stored observation of a service by one source. Its source is `provenance.source`. */
export interface Check {
  readonly kind: 'check';
  readonly serviceKey: string;
  readonly state: ServiceState;
  /** The state in the provider's own words. */
  readonly rawState: string;
  readonly checkedAt: Instant;
  /** Whole milliseconds, 0 to 86,400,000. */
  readonly responseTimeMs: number | null;
  /** How long the check counts as evidence, in milliseconds; see {@link validityOf}. */
  readonly validForMs: number;
  readonly provenance: Provenance;
}

export const MAX_RESPONSE_TIME_MS = DAY;
/** The minimum validity of a check, and the default for an imported check that states none. */
export const MIN_VALIDITY_MS = 15 * MINUTE;
export const MAX_VALIDITY_MS = DAY;
/** Clocks differ. A check up to this far in the future counts as if it happened now; a later check does not count yet. */
export const CHECK_CLOCK_TOLERANCE_MS = 60 * SECOND;

/** A check is evidence for three intervals of its source, at least 15 minutes and at most a day. */
export function validityOf(intervalMs: number): number {
  return Math.min(MAX_VALIDITY_MS, Math.max(MIN_VALIDITY_MS, 3 * intervalMs));
}
