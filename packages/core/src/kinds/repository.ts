import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { RepositoryName, RepositoryRef } from './repository-name.js';

/** The part of its newest release that a repository contains. */
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
  /** What its forge says that it is. */
  readonly description?: string | undefined;
  /** The language of most of its code, as its forge names it. */
  readonly language?: string | undefined;
  readonly lastSyncedAt: Instant;
  readonly provenance: Provenance;
}

/** A stored repository: the record, and the facts that writers derive from its commits and releases. */
export interface Repository extends RepositoryRecord {
  /** The time of the newest commit or release. */
  readonly latestActivityAt: Instant | null;
  readonly latestRelease: ReleaseSummary | null;
}

/** A record together with its repository, as responses contain them. */
export interface WithRepository<Record> {
  readonly record: Record;
  readonly repository: Repository;
}

/** Like {@link WithRepository}, for kinds whose records may belong to no repository. */
export interface WithOptionalRepository<Record> {
  readonly record: Record;
  readonly repository: Repository | null;
}
