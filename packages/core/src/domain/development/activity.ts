import type { Instant } from '../shared/instant.js';

/** The numbers of commits and releases of one UTC day. */
export interface ActivityDay {
  /** The start of the day. */
  readonly day: Instant;
  readonly commits: number;
  readonly releases: number;
}
