import type { Check } from '../../kinds/check.js';
import { timeOf } from '../../kinds/identity.js';
import type { Instant } from '../../kinds/instant.js';
import type { Provenance } from '../../kinds/provenance.js';
import { nameOfRef, NO_REPOSITORY } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import type { SearchableRecord, SearchType } from '../../kinds/search.js';
import type { ServiceEvidence } from '../../kinds/service-status.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import { repositoryWithoutRecord, withOwnAddresses } from '../../rules/own-url.js';
import { matchRecord, scopeOfRecord, searchTypeOf } from '../../rules/search-fields.js';
import type { SearchWords } from '../../rules/search-words.js';
import { currentState, decidingChecks } from '../../rules/service-status.js';

/** A hit as it is shown. */
export interface SearchResult {
  /** A commit's is `owner/name@sha`, a repository's its full name, a service's its key. */
  readonly id: string;
  readonly type: SearchType;
  readonly title: string;
  /** At most 300 characters. */
  readonly description: string;
  readonly source: string;
  readonly repository: Repository | null;
  readonly timestamp: Instant;
  /** The record's own fields in which a word matches; never empty. */
  readonly matchedFields: readonly string[];
  readonly provenance: Provenance;
  /** What the shown state of a service stands on; `null` for every other hit. */
  readonly evidence: readonly Check[] | null;
}

/** What is known only at the moment of the answer. */
export interface HitSurroundings {
  readonly repository: Repository | null;
  readonly approved: ApprovedRepositories;
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  readonly now: Instant;
}

const MAX_DESCRIPTION = 300;

type ShownParts = Pick<SearchResult, 'id' | 'title' | 'description' | 'timestamp' | 'provenance' | 'evidence'>;

/** The hit as a result; `null` when its record, as it would be served, no longer matches. */
export function presentHit(record: SearchableRecord, words: SearchWords, around: HitSurroundings): SearchResult | null {
  const ref = scopeOfRecord(record);
  const repository = ref === NO_REPOSITORY ? null : (around.repository ?? repositoryWithoutRecord(ref, around.approved, record.provenance));
  const match = matchRecord(record, repository?.fullName ?? null, words);
  if (match === null) return null;
  const shown = partsOf(repository === null ? record : withAddresses(record, repository), repository, around);
  return {
    id: shown.id,
    type: searchTypeOf(record),
    title: shown.title,
    description: [...shown.description.slice(0, 2 * MAX_DESCRIPTION)].slice(0, MAX_DESCRIPTION).join(''),
    source: shown.provenance.source,
    repository,
    timestamp: shown.timestamp,
    matchedFields: match.matchedFields,
    provenance: shown.provenance,
    evidence: shown.evidence,
  };
}

/** The same hit at a later moment: a service's state may have grown old. */
export function hitJudgedAgain(hit: SearchResult, now: Instant): SearchResult {
  return hit.evidence === null ? hit : { ...hit, description: currentState(hit.evidence, now) };
}

function withAddresses(record: SearchableRecord, repository: Repository): SearchableRecord {
  return record.kind !== 'repository' && 'repositoryRef' in record ? withOwnAddresses(record, repository) : record;
}

function partsOf(record: SearchableRecord, repository: Repository | null, around: HitSurroundings): ShownParts {
  switch (record.kind) {
    case 'commit': {
      const fullName = repository?.fullName ?? nameOfRef(record.repositoryRef);
      return parts(record, `${fullName}@${record.sha}`, record.title, record.description, record.committedAt);
    }
    case 'release':
      return parts(record, record.id, record.name === '' ? record.tagName : record.name, record.body, record.publishedAt);
    case 'repository':
      return repositoryParts(repository ?? { ...record, latestActivityAt: null, latestRelease: null });
    case 'service':
      return serviceParts(record, around);
    default:
      return parts(record, record.id, record.title, textOf(record), timeOf(record));
  }
}

function textOf(record: Extract<SearchableRecord, { readonly title: string }>): string {
  if (record.kind === 'incident') return record.updates[0]?.body ?? '';
  return 'summary' in record ? record.summary : record.description;
}

function parts({ provenance }: SearchableRecord, id: string, title: string, description: string, timestamp: Instant): ShownParts {
  return { id, title, description, timestamp, provenance, evidence: null };
}

function repositoryParts(repository: Repository): ShownParts {
  const { fullName, latestRelease, latestActivityAt, lastSyncedAt } = repository;
  return parts(repository, fullName, fullName, latestRelease?.name ?? '', latestActivityAt ?? lastSyncedAt);
}

function serviceParts(service: Extract<SearchableRecord, { kind: 'service' }>, { evidence, now }: HitSurroundings): ShownParts {
  const checks = evidence.get(service.key);
  const deciding = checks === undefined ? [] : decidingChecks(checks);
  const provenance = checks === undefined ? service.provenance : { ...service.provenance, observedAt: checks.lastCheckedAt };
  const shown = parts(service, service.key, service.displayName, currentState(deciding, now), checks?.lastCheckedAt ?? service.firstSeenAt);
  return { ...shown, provenance, evidence: deciding };
}
