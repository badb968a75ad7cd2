import type { Instant } from './instant.js';

/** Where a record comes from, and how reliable it is. */
export interface Provenance {
  /** Label of the origin. */
  readonly source: string;
  /** `official-source`, `confirmed-from-source`, `community-feed`, `service-interpretation`; other values may be added. */
  readonly sourceKind: string;
  /** Public URL of the origin. */
  readonly sourceUrl: string;
  /** When the origin was observed. */
  readonly observedAt: Instant;
  /** When the origin published it, if known. */
  readonly publishedAt?: Instant;
  /** `high`, `medium`, `low`, `unknown`; other values may be added. */
  readonly confidence: string;
  readonly isOfficialSource: boolean;
}
