import type { Instant } from '../shared/instant.js';
import type { Check } from './check.js';
import type { Tally } from './day-tally.js';

/** What the stored checks say of one service. A check up to 60 s ahead of now counts as at now; a later one does not count yet. */
export interface ServiceEvidence {
  /** The earliest stored check, also when only its day's counts are left. */
  readonly trackedFrom: Instant;
  /** The newest counted check, at most now. */
  readonly lastCheckedAt: Instant;
  /** Of each source the newest counted check. */
  readonly newest: readonly Check[];
  /** Of each source the newest counted check that was not `unknown`. */
  readonly newestKnown: readonly Check[];
  /** One for each window asked for, in their order. */
  readonly tallies: readonly Tally[];
}
