import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';

/** A record of a public feed. It belongs to no repository. */
export interface News {
  readonly kind: 'news';
  readonly id: string;
  /** Configured label of the feed. */
  readonly source: string;
  readonly title: string;
  readonly summary: string;
  readonly url: string;
  /** The time that the publisher states, if any. */
  readonly publishedAt?: Instant;
  readonly discoveredAt: Instant;
  /** `publishedAt`, or `discoveredAt` if that is absent. It never changes once stored, because lists are sorted by it. */
  readonly listedAt: Instant;
  readonly provenance: Provenance;
}

export const NEWS_FACTS = {
  plural: 'news',
  ownership: 'never',
  reader: 'own',
  filters: ['source'],
  ownUrls: [],
  fixedTimes: ['listedAt', 'discoveredAt'],
  filledTimes: [],
} as const satisfies KindFacts<News>;
