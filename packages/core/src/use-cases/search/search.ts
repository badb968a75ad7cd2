import type { Page } from '../../kinds/page.js';
import type { ScopeRef } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import { SEARCH_TYPES, type SearchEntry, type SearchPosition, type SearchType } from '../../kinds/search.js';
import type { ServiceEvidence } from '../../kinds/service-status.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { FoundPage, SearchReader } from '../../ports/readers.js';
import type { Clock, Deadlines } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { withLastSynced } from '../../rules/own-url.js';
import { scopeOfRecord } from '../../rules/search-fields.js';
import { isText } from '../../rules/rules-of-arguments.js';
import { MAX_QUERY_LENGTH, MIN_QUERY_LENGTH, normalizeQuery, searchWordsOf, type SearchWords } from '../../rules/search-words.js';
import { currentStateChangesAt } from '../../rules/service-status.js';
import {
  alsoChangingAt,
  latestVisible,
  SOURCE_DEADLINE_MS,
  unreadable,
  withoutParts,
  type ComposedAnswer,
  type FreshnessJudge,
  type UseCaseContext,
  type Warning,
} from '../shared/answer.js';
import { FIRST_PAGE, nextAfter, type RepositoryGate } from '../shared/records.js';
import type { ServiceBoard } from '../status/service-board.js';
import { presentHit, type SearchResult } from './search-result.js';
import { limit, needed, positionOf, withPermission } from '../shared/arguments.js';

export interface SearchInput {
  /** 2 to 100 characters, none of them a control character. Which form of Unicode it has, and its white space, make no difference. */
  readonly q: string;
  /** Empty means all. */
  readonly types: readonly SearchType[];
  /** 1 to 100. */
  readonly limit: number;
  readonly after: SearchPosition | null;
}

function isSearchType(value: unknown): boolean {
  return SEARCH_TYPES.some((known) => known === value);
}

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

  constructor(
    private readonly entries: SearchReader,
    private readonly board: ServiceBoard,
    private readonly gate: RepositoryGate,
    private readonly freshness: FreshnessJudge,
    private readonly deadlines: Deadlines,
    private readonly clock: Clock,
  ) {}

  /** Without `types` it finds all; without a page it gives the first. */
  async execute(
    given: Pick<SearchInput, 'q'> & Partial<SearchInput>,
    context: UseCaseContext,
  ): Promise<ComposedAnswer<Page<SearchResult, SearchPosition>>> {
    const input = { ...FIRST_PAGE, types: [], ...given };
    const now = this.clock.now();
    const types = input.types.length === 0 ? SEARCH_TYPES : input.types;
    const words = searchWordsOf(normalizeQuery(input.q) ?? '');
    const found = words === null ? NOTHING : await this.#found(words, types, input, context);
    const [repositories, evidence, syncs] = await Promise.all([
      this.gate.repositoriesOf(found.items, context),
      this.#evidence(found.items, context),
      this.freshness.syncs(context),
    ]);
    const items = words === null ? [] : this.#results(found.items, words, synced(repositories, syncs), evidence, context);
    const shown = items.map(({ type }) => syncedKind(type));
    const freshness = this.freshness.judge({ kinds: types.map(syncedKind), shown, scope: EVERY_SOURCE }, syncs);
    const missing = [
      ...(found.searchable === undefined ? [] : [incomplete(found.searchable)]),
      ...(evidence === null ? [unreadable('status-service')] : []),
    ];
    const changes = items.map((hit) => (hit.evidence === null ? null : currentStateChangesAt(hit.evidence, now)));
    return { data: { items, next: found.next }, ...alsoChangingAt(withoutParts(freshness, missing), changes), generatedAt: now };
  }

  async #found(words: SearchWords, types: readonly SearchType[], { limit, after }: SearchInput, context: UseCaseContext): Promise<AdmittedPage> {
    const { items, next, ...completeness } = await this.entries.search(
      context.approved,
      { words, types, limit, after, to: latestVisible(this.clock.now()) },
      context,
    );
    const admitted = this.gate.admitted(items.map(scoped), context);
    return { items: admitted, next: nextAfter({ items, next }, admitted, ({ position }) => position), ...completeness };
  }

  /** The checks of the services found; `null` when they cannot be read, and their hits are then left out. */
  async #evidence(entries: readonly SearchEntry[], { signal }: UseCaseContext): Promise<Evidence> {
    const serviceKeys = entries.flatMap(({ record }) => (record.kind === 'service' ? [record.key] : []));
    if (serviceKeys.length === 0) return new Map();
    return this.deadlines
      .run(SOURCE_DEADLINE_MS, signal, (own) => this.board.evidence(serviceKeys, this.clock.now(), { signal: own }))
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
      return presentHit(record, words, { repository, approved, evidence: evidence ?? new Map(), now: this.clock.now() }) ?? [];
    });
  }
}

const NOTHING: AdmittedPage = { items: [], next: null };

/** The search index is still being filled. */
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

function scoped(entry: SearchEntry): ScopedEntry {
  return { ...entry, kind: entry.record.kind, repositoryRef: scopeOfRecord(entry.record) };
}

function synced(repositories: ReadonlyMap<ScopeRef, Repository>, syncs: readonly SyncTimes[]): ReadonlyMap<ScopeRef, Repository> {
  return new Map([...repositories].map(([ref, repository]) => [ref, withLastSynced(repository, syncs)]));
}

function syncedKind(type: SearchType): SyncedKind {
  return type === 'status-service' ? 'check' : type;
}
