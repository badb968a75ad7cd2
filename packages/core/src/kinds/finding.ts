import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { RepositoryRef } from './repository-name.js';

export interface FindingEvidence {
  readonly branch: string;
  readonly additions: number;
  readonly deletions: number;
  /** The paths of the changed files. */
  readonly files: readonly string[];
  /** Present only if the collector stored this relationship explicitly. */
  readonly commitSha?: string;
}

export interface Finding {
  readonly kind: 'finding';
  readonly repositoryRef: RepositoryRef;
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** `EXPERIMENTAL`, `CONFIRMED`, `RELEASED`, `RETRACTED`; other values may be added. */
  readonly status: string;
  readonly changeType: string;
  readonly evidence: FindingEvidence;
  readonly detectedAt: Instant;
  readonly sourceUrl: string;
  readonly provenance: Provenance;
}

export const FINDING_FACTS = {
  plural: 'findings',
  ownership: 'always',
  reader: 'record',
  filters: ['status', 'changeType'],
  ownUrls: ['sourceUrl'],
  fixedTimes: [],
  filledTimes: [],
} as const satisfies KindFacts<Finding>;
