import {
  MINUTE,
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

/** What is derived of each repository from its commits and releases: whenever one of them is written, and when the time of one has come. */
export class RepositoryFacts {
  readonly #records: RecordCatalog;
  readonly #clock: Clock;
  readonly #facts = new Map<RepositoryRef, Facts>();
  /** When the next commit or release, dated ahead, may be shown. Nothing is written then. */
  readonly #dueAt = new Map<RepositoryRef, Instant>();
  readonly #composed = new Map<RepositoryRef, Composed>();

  constructor(records: RecordCatalog, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  derive(ref: RepositoryRef): void {
    const notAfter = this.#clock.now() + FUTURE_TOLERANCE_MS;
    const [commits, releases] = [this.#records.kind('commit').lists, this.#records.kind('release').lists];
    this.#facts.set(ref, factsOf(commits.newest(ref, notAfter), releases.newest(ref, notAfter)));
    const next = Math.min(commits.nextTime(ref, notAfter) ?? Infinity, releases.nextTime(ref, notAfter) ?? Infinity);
    if (next === Infinity) this.#dueAt.delete(ref);
    else this.#dueAt.set(ref, next - FUTURE_TOLERANCE_MS);
  }

  /** The same object until the record or the facts change, so that whoever shows it can keep what they made of it. */
  repository(ref: RepositoryRef): Repository | null {
    const record = this.#records.repository(ref);
    if (record === null) {
      this.#composed.delete(ref);
      return null;
    }
    const dueAt = this.#dueAt.get(ref);
    if (dueAt !== undefined && dueAt <= this.#clock.now()) this.derive(ref);
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
