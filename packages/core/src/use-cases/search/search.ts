import type { Check } from '../../kinds/check.js';
import { scopeOf, timeOf } from '../../kinds/identity.js';
import type { Instant } from '../../kinds/instant.js';
import type { Page, PageRequest } from '../../kinds/page.js';
import type { Provenance } from '../../kinds/provenance.js';
import { nameOfRef, NO_REPOSITORY, type ScopeRef } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import { SEARCH_TYPES, type SearchableRecord, type SearchEntry, type SearchPosition, type SearchType } from '../../kinds/search.js';
import type { ServiceEvidence } from '../../kinds/service-status.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { FoundPage } from '../../ports/readers.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { repositoryWithoutRecord, withLastSynced, withOwnAddresses } from '../../rules/own-url.js';
import { isText } from '../../rules/rules-of-arguments.js';
import { matchRecord, searchTypeOf } from '../../rules/search-fields.js';
import { MAX_QUERY_LENGTH, MIN_QUERY_LENGTH, normalizeQuery, searchWordsOf, type SearchWords } from '../../rules/search-words.js';
import { currentState, currentStateChangesAt, decidingChecks } from '../../rules/service-status.js';
import { alsoChangingAt, latestVisible, SOURCE_DEADLINE_MS, unreadable, withoutParts } from '../shared/answer.js';
import type { ComposedAnswer, UseCaseContext, Warning } from '../shared/answer.js';
import { limit, needed, positionOf, withPermission } from '../shared/arguments.js';
import type { Parts } from '../shared/parts.js';
import { FIRST_PAGE, nextAfter } from '../shared/records.js';

export interface SearchInput extends PageRequest<SearchPosition> {
  /** 2 to 100 characters, none of them a control character. Which form of Unicode it has, and its white space, make no difference. */
  readonly q: string;
  /** Empty means all. */
  readonly types: readonly SearchType[];
}

const isSearchType = (value: unknown): boolean => SEARCH_TYPES.some((known) => known === value);

type Evidence = ReadonlyMap<string, ServiceEvidence> | null;

/** Public records of all kinds that hold every word, title hits first. */
export class Search {
  readonly takes = withPermission<SearchInput>({
    q: needed(
      `a text of ${String(MIN_QUERY_LENGTH)} to ${String(MAX_QUERY_LENGTH)} characters`,
      (value) => isText(value) && normalizeQuery(value) !== null,
    ),
    types: { accepts: (value) => Array.isArray(value) && value.every(isSearchType), means: `a list with some of ${SEARCH_TYPES.join(', ')}` },
    limit,
    after: positionOf('tier', 'time', 'type', 'id'),
  });

  constructor(private readonly parts: Parts<'board' | 'gate' | 'freshness' | 'deadlines' | 'clock', 'search'>) {}

  /** Without `types` it finds all; without a page it gives the first. */
  async execute(
    given: Pick<SearchInput, 'q'> & Partial<SearchInput>,
    context: UseCaseContext,
  ): Promise<ComposedAnswer<Page<SearchResult, SearchPosition>>> {
    const input = { ...FIRST_PAGE, types: [], ...given };
    const now = this.parts.clock.now();
    const types = input.types.length === 0 ? SEARCH_TYPES : input.types;
    const words = searchWordsOf(normalizeQuery(input.q) ?? '');
    const found = words === null ? NOTHING : await this.#found(words, types, input, context);
    const [repositories, evidence, syncs] = await Promise.all([
      this.parts.gate.repositoriesOf(found.items, context),
      this.#evidence(found.items, context),
      this.parts.freshness.syncs(context),
    ]);
    const items = words === null ? [] : this.#results(found.items, words, synced(repositories, syncs), evidence, context);
    const shown = items.map(({ type }) => syncedKind(type));
    const freshness = this.parts.freshness.judge({ kinds: types.map(syncedKind), shown, scope: EVERY_SOURCE }, syncs);
    const missing = [
      ...(found.searchable === undefined ? [] : [incomplete(found.searchable)]),
      ...(evidence === null ? [unreadable('status-service')] : []),
    ];
    const changes = items.map((hit) => (hit.evidence === null ? null : currentStateChangesAt(hit.evidence, now)));
    return { data: { items, next: found.next }, ...alsoChangingAt(withoutParts(freshness, missing), changes), generatedAt: now };
  }

  async #found(words: SearchWords, types: readonly SearchType[], { limit, after }: SearchInput, context: UseCaseContext): Promise<AdmittedPage> {
    const { items, next, ...completeness } = await this.parts.readers.search.search(
      context.approved,
      { words, types, limit, after, to: latestVisible(this.parts.clock.now()) },
      context,
    );
    const scoped = items.map((entry): ScopedEntry => ({ ...entry, kind: entry.record.kind, repositoryRef: scopeOf(entry.record) }));
    const admitted = this.parts.gate.admitted(scoped, context);
    return { items: admitted, next: nextAfter({ items, next }, admitted, ({ position }) => position), ...completeness };
  }

  /** The checks of the services found; `null` if they cannot be read. Their hits are then left out. */
  async #evidence(entries: readonly SearchEntry[], { signal }: UseCaseContext): Promise<Evidence> {
    const serviceKeys = entries.flatMap(({ record }) => (record.kind === 'service' ? [record.key] : []));
    if (serviceKeys.length === 0) return new Map();
    return this.parts.deadlines
      .run(SOURCE_DEADLINE_MS, signal, (own) => this.parts.board.evidence(serviceKeys, this.parts.clock.now(), { signal: own }))
      .catch(() => null);
  }

  #results(
    entries: readonly ScopedEntry[],
    words: SearchWords,
    repositories: ReadonlyMap<ScopeRef, Repository>,
    evidence: Evidence,
    { approved }: UseCaseContext,
  ): SearchResult[] {
    return entries.flatMap(({ record, repositoryRef }) => {
      if (record.kind === 'service' && evidence === null) return [];
      const repository = repositories.get(repositoryRef) ?? null;
      return presentHit(record, words, { repository, approved, evidence: evidence ?? new Map(), now: this.parts.clock.now() }) ?? [];
    });
  }
}

const NOTHING: AdmittedPage = { items: [], next: null };

function incomplete(searchable: number): Warning {
  const percent = Math.floor(searchable * 100);
  return {
    code: 'SEARCH_INCOMPLETE',
    source: 'search',
    detail: `The search index is being filled: ${percent} % of the records can be found, the newest first.`,
  };
}

interface AdmittedPage extends FoundPage {
  readonly items: readonly ScopedEntry[];
}

type ScopedEntry = SearchEntry & { readonly kind: SearchEntry['record']['kind']; readonly repositoryRef: ScopeRef };

function synced(repositories: ReadonlyMap<ScopeRef, Repository>, syncs: readonly SyncTimes[]): ReadonlyMap<ScopeRef, Repository> {
  return new Map([...repositories].map(([ref, repository]) => [ref, withLastSynced(repository, syncs)]));
}

function syncedKind(type: SearchType): SyncedKind {
  return type === 'status-service' ? 'check' : type;
}

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

interface HitSurroundings {
  readonly repository: Repository | null;
  readonly approved: ApprovedRepositories;
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  readonly now: Instant;
}

const MAX_DESCRIPTION = 300;

type ShownParts = Pick<SearchResult, 'id' | 'title' | 'description' | 'timestamp' | 'provenance' | 'evidence'>;

/** The hit as a result; `null` when its record, as it would be served, no longer matches. */
function presentHit(record: SearchableRecord, words: SearchWords, around: HitSurroundings): SearchResult | null {
  const ref = scopeOf(record);
  const repository = ref === NO_REPOSITORY ? null : (around.repository ?? repositoryWithoutRecord(ref, around.approved, record.provenance));
  const match = matchRecord(record, repository?.fullName ?? null, words);
  if (match === null) return null;
  const shown = partsOf(repository === null ? record : withAddresses(record, repository), repository, around);
  const description = [...shown.description.slice(0, 2 * MAX_DESCRIPTION)].slice(0, MAX_DESCRIPTION).join('');
  return { ...shown, description, type: searchTypeOf(record), source: shown.provenance.source, repository, matchedFields: match.matchedFields };
}

/** The same hit at a later moment: a service's state may have grown old. */
export function hitJudgedAgain(hit: SearchResult, now: Instant): SearchResult {
  return hit.evidence === null ? hit : { ...hit, description: currentState(hit.evidence, now) };
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

function withAddresses(record: SearchableRecord, repository: Repository): SearchableRecord {
  return record.kind !== 'repository' && 'repositoryRef' in record ? withOwnAddresses(record, repository) : record;
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
