import type { Instant, Provenance, RepositoryName, RepositoryRef } from '@vitrine/core';
import type { ForgeAddresses } from './push-addresses.js';
import type { SourceContext } from '../../running/source.js';
import type { Registration } from '../../running/sync-records.js';
import type { GitRefs } from './git-refs.js';
import type { Git } from './git.js';

/** The values that all records of one git source share. */
export interface GitOrigin {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  readonly addresses: ForgeAddresses;
  readonly label: string;
}

interface Evidence {
  readonly sourceUrl: string;
  readonly observedAt: Instant;
  readonly publishedAt?: Instant;
  readonly confidence: 'high' | 'medium' | 'low';
}

export function provenanceOf(origin: GitOrigin, evidence: Evidence): Provenance {
  return { source: origin.label, sourceKind: 'official-source', ...evidence, isOfficialSource: true };
}

/** One run of a git source. It works on the refs as they were at one moment. */
export interface GitCollection {
  readonly context: SourceContext;
  readonly git: Git;
  readonly refs: GitRefs;
  readonly origin: GitOrigin;
  readonly source: { readonly id: string; readonly intervalMs: number; readonly registration: Registration };
  readonly startedAt: Instant;
  readonly tagWarnings: TagWarnings;
  /** Whether a commit is stored without its changes if git cannot read them; otherwise the run fails. */
  readonly toleratesGaps: boolean;
}

/** The warnings about tags of the last run in this process that read them. */
export interface TagWarnings {
  lines: readonly string[];
}
