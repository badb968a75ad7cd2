import { RELEASE_FACTS } from './release.js';
import { leftOut, nullable, optional, ownRepository, text, time, type RecordFacts, type WithFields } from './fields.js';
import type { Instant } from './instant.js';
import { origin } from './provenance.js';

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

const { tagName, name, releaseType, platform, publishedAt, sourceUrl } = RELEASE_FACTS.fields;
export const RELEASE_SUMMARY_FIELDS = { tagName, name, releaseType, platform, publishedAt, sourceUrl };

/** The part of its newest release that a repository contains. */
export interface ReleaseSummary extends WithFields<typeof RELEASE_SUMMARY_FIELDS> {}

const LAST_SYNCED =
  'When its sources last completed a run: the start of that run, the oldest if it has several sources. Until then, when it was first stored.';

const fields = {
  repositoryRef: ownRepository,
  /** `owner/name` as its owner writes it. */
  fullName: text('repositoryName', '`owner/name`.', 'acme/widget'),
  owner: text('repositoryName', 'Owner part.', 'acme'),
  name: text('repositoryName', 'Name part.', 'widget'),
  defaultBranch: nullable(text('branch', 'Default branch, if known.', 'main')),
  /** What its forge says that it is. */
  description: optional(text('line', 'What its forge says that it is. Absent: no source tells.', 'Widgets for everybody')),
  /** The language of most of its code, as its forge names it. */
  language: optional(text('short', 'The language of most of its code, as its forge names it. Absent: no source tells.', 'TypeScript')),
  lastSyncedAt: leftOut('now', time(LAST_SYNCED, '2026-11-20T13:58:02.114Z')),
  provenance: origin,
};

/** A repository as its sources describe it. Its public address is `provenance.sourceUrl`. */
export interface RepositoryRecord extends WithFields<typeof fields> {
  readonly kind: 'repository';
}

export const REPOSITORY_FACTS = {
  searched: { fullName: 'title' },
  sent: [
    'fullName',
    'owner',
    'name',
    'defaultBranch',
    'lastSyncedAt',
    'latestActivityAt',
    'latestRelease',
    'provenance',
    'description',
    'language',
    'href',
  ],
  fields,
} as const satisfies RecordFacts<RepositoryRecord>;

/** What a repository shows of its latest release. */
export function releaseSummary({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
