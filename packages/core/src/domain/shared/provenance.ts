import type { Instant } from './instant.js';

/** Where a record comes from, and how far it may be trusted. */
export interface Provenance {
  /** Label of the origin. */
  readonly source: string;
  /** `official-source`, `confirmed-from-source`, `community-feed`, `service-interpretation`; an open set. */
  readonly sourceKind: string;
  /** Public URL of the origin. */
  readonly sourceUrl: string;
  /** When the origin was observed. */
  readonly observedAt: Instant;
  /** When the origin published it, where known. */
  readonly publishedAt?: Instant;
  /** `high`, `medium`, `low`, `unknown`; an open set. */
  readonly confidence: string;
  readonly isOfficialSource: boolean;
}
