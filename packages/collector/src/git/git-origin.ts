import type { Instant, Provenance, RepositoryName, RepositoryRef } from '@vitrine/core';
import type { ForgeAddresses } from './forge-addresses.js';

/** The values that all records of one git source share. */
export interface GitOrigin {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  readonly addresses: ForgeAddresses;
  /** The name of the origin in its records. */
  readonly label: string;
}

/** Provenance values that differ between the records of a source. */
export interface Evidence {
  readonly sourceUrl: string;
  readonly observedAt: Instant;
  readonly publishedAt?: Instant;
  readonly confidence: 'high' | 'medium' | 'low';
}

export function provenanceOf(origin: GitOrigin, evidence: Evidence): Provenance {
  return { source: origin.label, sourceKind: 'official-source', ...evidence, isOfficialSource: true };
}
