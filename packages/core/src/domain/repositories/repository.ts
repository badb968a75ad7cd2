import type { Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';
import type { RepositoryName, RepositoryRef } from './repository-name.js';

/** What a repository shows of its newest release. */
export interface ReleaseSummary {
  readonly tagName: string;
  readonly name: string;
  readonly releaseType: string;
  readonly platform: string | null;
  readonly publishedAt: Instant;
  readonly sourceUrl: string;
}

/** A repository as its sources describe it. Its public address is `provenance.sourceUrl`. */
export interface RepositoryRecord extends RepositoryName {
  readonly kind: 'repository';
  readonly repositoryRef: RepositoryRef;
  readonly defaultBranch: string | null;
  readonly lastSyncedAt: Instant;
  readonly provenance: Provenance;
}

/** A stored repository: the record, and what the writers derive from its commits and releases. */
export interface Repository extends RepositoryRecord {
  /** The newest commit or release. */
  readonly latestActivityAt: Instant | null;
  readonly latestRelease: ReleaseSummary | null;
}

/** A record beside the repository it belongs to, as it is shown. */
export interface WithRepository<Record> {
  readonly record: Record;
  readonly repository: Repository;
}

/** The same for kinds that may belong to no repository. */
export interface WithOptionalRepository<Record> {
  readonly record: Record;
  readonly repository: Repository | null;
}
