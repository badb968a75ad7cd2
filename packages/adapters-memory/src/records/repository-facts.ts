import { MINUTE, type Instant, type ReleaseSummary, type Repository, type RepositoryRecord, type RepositoryRef } from '@vitrine/core';
import type { RecordCatalog } from './record-catalog.js';

/** Records that are dated further ahead are stored, but not shown. */
const FUTURE_TOLERANCE_MS = 5 * MINUTE;

type Facts = Pick<Repository, 'latestActivityAt' | 'latestRelease'>;

const NO_FACTS: Facts = { latestActivityAt: null, latestRelease: null };

/** A repository as it was last given, and what it was made of. */
interface Composed {
  readonly record: RepositoryRecord;
  readonly facts: Facts;
  readonly repository: Repository;
}

/** What is derived of each repository from its commits and releases, whenever one of them is written. */
export class RepositoryFacts {
  readonly #records: RecordCatalog;
  readonly #facts = new Map<RepositoryRef, Facts>();
  readonly #composed = new Map<RepositoryRef, Composed>();

  constructor(records: RecordCatalog) {
    this.#records = records;
  }

  derive(ref: RepositoryRef, now: Instant): void {
    const notAfter = now + FUTURE_TOLERANCE_MS;
    const commit = this.#records.kind('commit').lists.newest(ref, notAfter);
    const release = this.#records.kind('release').lists.newest(ref, notAfter);
    const times = [commit?.kind === 'commit' ? commit.committedAt : null, release?.kind === 'release' ? release.publishedAt : null].filter(
      (time) => time !== null,
    );
    this.#facts.set(ref, {
      latestActivityAt: times.length === 0 ? null : Math.max(...times),
      latestRelease: release?.kind === 'release' ? summaryOf(release) : null,
    });
  }

  /** The same object until the record or the facts change, so that whoever shows it can keep what they made of it. */
  repository(ref: RepositoryRef): Repository | null {
    const record = this.#records.repository(ref);
    if (record === null) {
      this.#composed.delete(ref);
      return null;
    }
    const facts = this.#facts.get(ref) ?? NO_FACTS;
    const known = this.#composed.get(ref);
    if (known?.record === record && known.facts === facts) return known.repository;
    const repository = { ...record, ...facts };
    this.#composed.set(ref, { record, facts, repository });
    return repository;
  }
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
