import { publishableRelease, type Instant, type Repository, type RepositoryRecord, type RepositoryRef, type ReleaseSummary } from '@vitrine/core';
import { BadValue, isPlainObject, object } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, repositoryRef } from './shared-fields.js';
import { instant, list, nullable, text } from './values.js';

/** The record's own part of a stored repository. */
export const repositoryDocument = documentSpec<RepositoryRecord>(
  'repository',
  object({ repositoryRef, fullName: text, owner: text, name: text, defaultBranch: nullable(text), lastSyncedAt: instant, provenance }),
);

/** A commit or release that is dated ahead: from when it may be shown on, it is the newest. */
export interface UpcomingFact {
  readonly time: Instant;
  /** `null` for a commit. */
  readonly release: ReleaseSummary | null;
}

/** What the writers derive of a repository from its commits and releases. */
export interface RepositoryFacts extends Pick<Repository, 'latestActivityAt' | 'latestRelease'> {
  /** Oldest first. */
  readonly upcoming: readonly UpcomingFact[];
}

const NO_FACTS: RepositoryFacts = { latestActivityAt: null, latestRelease: null, upcoming: [] };

const releaseSummary = object({ tagName: text, name: text, releaseType: text, platform: nullable(text), publishedAt: instant, sourceUrl: text });

/** The derived fields of a stored repository. They stand beside the record's own. */
export const repositoryFacts = object({
  latestActivityAt: nullable(instant),
  latestRelease: nullable(releaseSummary),
  upcoming: list(object({ time: instant, release: nullable(releaseSummary) })),
});

/** The name of the mark that says that a repository's facts have to be derived again. */
export const FACTS_PENDING = 'factsPending';

/** What tells the facts of a stored repository, and whether they are up to date. */
export const FACTS_PROJECTION = { latestActivityAt: 1, latestRelease: 1, upcoming: 1, [FACTS_PENDING]: 1 } as const;

/** A repository as readers show it at a moment. */
export type ShownRepository = (notAfter: Instant) => Repository;

/** What a stored repository means. */
export function toRepository(document: unknown): ShownRepository | BadValue {
  const record = repositoryDocument.toRecord(document);
  if (record instanceof BadValue) return record;
  const { upcoming, latestActivityAt, latestRelease } = publishedFacts(factsOf(document), record.repositoryRef);
  const shown: Repository = { ...record, latestActivityAt, latestRelease };
  // Nearly always the same object at every moment, so that nobody has to present it twice.
  return upcoming.length === 0 ? () => shown : (notAfter) => withDue(shown, upcoming, notAfter);
}

/** The facts of a stored repository. */
export function factsOf(document: unknown): RepositoryFacts {
  const facts = isPlainObject(document) ? repositoryFacts.decode(document, '') : NO_FACTS;
  return facts instanceof BadValue ? NO_FACTS : facts;
}

function publishedFacts({ upcoming, latestActivityAt, latestRelease }: RepositoryFacts, ref: RepositoryRef): RepositoryFacts {
  return {
    latestActivityAt,
    latestRelease: published(latestRelease, ref),
    upcoming: upcoming.map(({ time, release }) => ({ time, release: published(release, ref) })),
  };
}

/** `null` when it may not be published, as its release may not. */
function published(release: ReleaseSummary | null, ref: RepositoryRef): ReleaseSummary | null {
  const summary = release === null ? null : publishableRelease(release, ref);
  return typeof summary === 'string' ? null : summary;
}

function withDue(repository: Repository, upcoming: readonly UpcomingFact[], notAfter: Instant): Repository {
  const due = upcoming.filter(({ time }) => time <= notAfter);
  const latestRelease = due.findLast((fact) => fact.release !== null)?.release ?? repository.latestRelease;
  return { ...repository, latestActivityAt: due.at(-1)?.time ?? repository.latestActivityAt, latestRelease };
}
