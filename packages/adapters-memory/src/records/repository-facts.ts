import {
  latestVisible,
  timeOf,
  type Clock,
  type Instant,
  type ListedRecord,
  type ReleaseSummary,
  type Repository,
  type RepositoryRecord,
  type RepositoryRef,
} from '@vitrine/core';
import type { RecordCatalog } from './record-catalog.js';

type Facts = Pick<Repository, 'latestActivityAt' | 'latestRelease'>;

const NO_FACTS: Facts = { latestActivityAt: null, latestRelease: null };

/** A cached repository, and the values from which it was composed. */
interface Composed {
  readonly record: RepositoryRecord;
  readonly facts: Facts;
  readonly repository: Repository;
}

/** The facts that are derived from a repository's commits and releases. They are updated when one of these is written, and when the time of a future one has come. */
export class RepositoryFacts {
  readonly #records: RecordCatalog;
  readonly #clock: Clock;
  readonly #facts = new Map<RepositoryRef, Facts>();
  /** The time of the next future commit or release. When that time comes, nothing is written, so reads must check it. */
  readonly #nextTime = new Map<RepositoryRef, Instant>();
  readonly #composed = new Map<RepositoryRef, Composed>();

  constructor(records: RecordCatalog, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  derive(ref: RepositoryRef): void {
    const notAfter = latestVisible(this.#clock.now());
    const [commits, releases] = [this.#records.kind('commit').lists, this.#records.kind('release').lists];
    this.#facts.set(ref, factsOf(commits.newest(ref, notAfter), releases.newest(ref, notAfter)));
    const next = Math.min(commits.nextTime(ref, notAfter) ?? Infinity, releases.nextTime(ref, notAfter) ?? Infinity);
    if (next === Infinity) this.#nextTime.delete(ref);
    else this.#nextTime.set(ref, next);
  }

  /** Returns the same object until the record or its facts change, so that callers can cache what they compute from it. */
  repository(ref: RepositoryRef): Repository | null {
    const record = this.#records.repository(ref);
    if (record === null) {
      this.#composed.delete(ref);
      return null;
    }
    const next = this.#nextTime.get(ref);
    if (next !== undefined && next <= latestVisible(this.#clock.now())) this.derive(ref);
    const facts = this.#facts.get(ref) ?? NO_FACTS;
    const known = this.#composed.get(ref);
    if (known?.record === record && known.facts === facts) return known.repository;
    const repository = { ...record, ...facts };
    this.#composed.set(ref, { record, facts, repository });
    return repository;
  }
}

function factsOf(commit: ListedRecord | null, release: ListedRecord | null): Facts {
  const times = [commit, release].flatMap((record) => (record === null ? [] : [timeOf(record)]));
  return {
    latestActivityAt: times.length === 0 ? null : Math.max(...times),
    latestRelease: release?.kind === 'release' ? summaryOf(release) : null,
  };
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: ReleaseSummary): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
