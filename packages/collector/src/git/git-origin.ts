import type { Instant, Provenance, RepositoryName, RepositoryRef } from '@vitrine/core';
import type { ForgeAddresses } from './forge-addresses.js';

/** What every record of one git source has in common. */
export interface GitOrigin {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  readonly addresses: ForgeAddresses;
  /** How the origin is called where records are shown. */
  readonly label: string;
}

/** How far a record's own facts reach. */
export interface Evidence {
  readonly sourceUrl: string;
  readonly observedAt: Instant;
  readonly publishedAt?: Instant;
  readonly confidence: 'high' | 'medium' | 'low';
}

export function provenanceOf(origin: GitOrigin, evidence: Evidence): Provenance {
  return { source: origin.label, sourceKind: 'official-source', ...evidence, isOfficialSource: true };
}
