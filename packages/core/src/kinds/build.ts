import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { RepositoryRef } from './repository-name.js';

export const BUILD_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'skipped', 'unknown'] as const;
export type BuildState = (typeof BUILD_STATES)[number];

export interface Build {
  readonly kind: 'build';
  readonly repositoryRef: RepositoryRef;
  readonly id: string;
  readonly name: string;
  readonly number: number | null;
  readonly state: BuildState;
  readonly trigger: string | null;
  readonly branch: string | null;
  /** Present only if the source states it. */
  readonly commitSha?: string;
  readonly platform: string | null;
  readonly version: string | null;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly durationSeconds: number | null;
  readonly url: string;
  readonly provenance: Provenance;
}

export const BUILD_FACTS = {
  plural: 'builds',
  ownership: 'always',
  reader: 'list',
  filters: [],
  ownUrls: ['url'],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Build>;
