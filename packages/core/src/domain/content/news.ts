import type { Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';

/** A record of a public feed. It belongs to no repository. */
export interface News {
  readonly kind: 'news';
  readonly id: string;
  /** Configured label of the feed. */
  readonly source: string;
  readonly title: string;
  readonly summary: string;
  readonly url: string;
  /** The publisher's time, when supplied. */
  readonly publishedAt?: Instant;
  readonly discoveredAt: Instant;
  /** `publishedAt`, else `discoveredAt`, fixed when first stored: the place in lists depends on it. */
  readonly listedAt: Instant;
  readonly provenance: Provenance;
}
