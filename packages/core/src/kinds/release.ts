import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { RepositoryRef } from './repository-name.js';

/** A file of a release. */
export interface ReleaseAsset {
  readonly name: string;
  /** What it runs on, if its name says so. */
  readonly platform: string | null;
  /** In bytes. */
  readonly size: number | null;
  readonly url: string;
}

/** The most files that a release shows. */
export const MAX_ASSETS = 100;

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
  /** As its forge lists them; at most {@link MAX_ASSETS}. Absent: no source tells. */
  readonly assets?: readonly ReleaseAsset[] | undefined;
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
