import { MINUTE, type Instant, type ReleaseSummary, type Repository, type RepositoryRef } from '@vitrine/core';
import type { RecordCatalog } from './record-catalog.js';

/** Records that are dated further ahead are stored, but not shown. */
const FUTURE_TOLERANCE_MS = 5 * MINUTE;

type Facts = Pick<Repository, 'latestActivityAt' | 'latestRelease'>;

/** What is derived of each repository from its commits and releases, whenever one of them is written. */
export class RepositoryFacts {
  readonly #records: RecordCatalog;
  readonly #facts = new Map<RepositoryRef, Facts>();

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

  repository(ref: RepositoryRef): Repository | null {
    const record = this.#records.repository(ref);
    return record === null ? null : { ...record, ...(this.#facts.get(ref) ?? { latestActivityAt: null, latestRelease: null }) };
  }
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
