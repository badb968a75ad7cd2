import type { KindFacts } from '../kind-facts.js';
import type { RepositoryRef } from '../repositories/repository-name.js';
import type { Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';

export interface Release {
  readonly kind: 'release';
  readonly repositoryRef: RepositoryRef;
  /** `owner/name@tag`, encoded by {@link publicId}. */
  readonly id: string;
  readonly tagName: string;
  readonly name: string;
  readonly body: string;
  readonly platform: string | null;
  /** `stable`, `prerelease`, `rc`, `beta`, `alpha`, `nightly`; other values may be added. */
  readonly releaseType: string;
  readonly publishedAt: Instant;
  readonly sourceUrl: string;
  readonly provenance: Provenance;
}

export const RELEASE_FACTS = {
  plural: 'releases',
  ownership: 'always',
  reader: 'record',
  filters: ['platform', 'releaseType'],
  ownUrls: ['sourceUrl'],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Release>;
