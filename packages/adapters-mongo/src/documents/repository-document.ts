import { publishableRelease, type Instant, type Repository, type RepositoryRef, type ReleaseSummary } from '@vitrine/core';
import { BadValue, isPlainObject, object } from './codec.js';
import { DOCUMENTS } from './record-documents.js';
import { instant, list, nullable, text } from './values.js';

/** A commit or release with a time in the future. It becomes the newest one at that time. */
export interface UpcomingFact {
  readonly time: Instant;
  /** `null` for a commit. */
  readonly release: ReleaseSummary | null;
}

/** What writers derive from the commits and releases of a repository. */
export interface RepositoryFacts extends Pick<Repository, 'latestActivityAt' | 'latestRelease'> {
  /** Oldest first. */
  readonly upcoming: readonly UpcomingFact[];
}

const NO_FACTS: RepositoryFacts = { latestActivityAt: null, latestRelease: null, upcoming: [] };

const releaseSummary = object({ tagName: text, name: text, releaseType: text, platform: nullable(text), publishedAt: instant, sourceUrl: text });

/** The derived fields of a stored repository, stored next to the fields of the record. */
export const repositoryFacts = object({
  latestActivityAt: nullable(instant),
  latestRelease: nullable(releaseSummary),
  upcoming: list(object({ time: instant, release: nullable(releaseSummary) })),
});

/** The field that marks a repository whose facts must be derived again. */
export const FACTS_PENDING = 'factsPending';

/** The fields that contain the facts of a stored repository, and the mark. */
export const FACTS_PROJECTION = { latestActivityAt: 1, latestRelease: 1, upcoming: 1, [FACTS_PENDING]: 1 } as const;

/** Returns a repository as readers show it at a given time. */
export type ShownRepository = (notAfter: Instant) => Repository;

/** Decodes a stored repository. */
export function toRepository(document: unknown): ShownRepository | BadValue {
  const record = DOCUMENTS.repository.toRecord(document);
  if (record instanceof BadValue) return record;
  const { upcoming, latestActivityAt, latestRelease } = publishedFacts(factsOf(document), record.repositoryRef);
  const shown: Repository = { ...record, latestActivityAt, latestRelease };
  // Nearly always the same object at every time, so that callers can cache what they compute from it.
  return upcoming.length === 0 ? () => shown : (notAfter) => withDue(shown, upcoming, notAfter);
}

/** Decodes the facts of a stored repository. */
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

/** `null` if the release must not be published. */
function published(release: ReleaseSummary | null, ref: RepositoryRef): ReleaseSummary | null {
  const summary = release === null ? null : publishableRelease(release, ref);
  return typeof summary === 'string' ? null : summary;
}

function withDue(repository: Repository, upcoming: readonly UpcomingFact[], notAfter: Instant): Repository {
  const due = upcoming.filter(({ time }) => time <= notAfter);
  const latestRelease = due.findLast((fact) => fact.release !== null)?.release ?? repository.latestRelease;
  return { ...repository, latestActivityAt: due.at(-1)?.time ?? repository.latestActivityAt, latestRelease };
}
