import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { ScopeRef } from './repository-name.js';

export interface Video {
  readonly kind: 'video';
  readonly repositoryRef: ScopeRef;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly platform: string;
  readonly channelName: string;
  readonly url: string;
  readonly embedUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly durationSeconds: number | null;
  readonly language: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Instant;
  readonly discoveredAt: Instant;
  readonly sourceUrl: string;
  readonly provenance: Provenance;
}

export const VIDEO_FACTS = {
  plural: 'videos',
  ownership: 'sometimes',
  reader: 'record',
  filters: ['source'],
  ownUrls: ['url', 'sourceUrl', 'embedUrl', 'thumbnailUrl'],
  fixedTimes: [],
  filledTimes: ['discoveredAt'],
} as const satisfies KindFacts<Video>;
