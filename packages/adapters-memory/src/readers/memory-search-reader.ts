import {
  isSearchable,
  matchFields,
  repositoryField,
  searchFieldsOf,
  searchTypeOf,
  UnavailableError,
  scopeOfRecord,
  type ApprovedRepositories,
  type Page,
  type ReadContext,
  type SearchEntry,
  type SearchField,
  type SearchPosition,
  type SearchQuery,
  type SearchReader,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { rankOf } from '../records/record-place.js';
import { searchTerms } from '../search/search-term.js';
import { SearchWalk } from '../search/search-walk.js';
import { throwIfAborted } from './answer-now.js';

const FIXED_PLACES: ReadonlySet<number> = new Set([rankOf('repository'), rankOf('service')]);

export class MemorySearchReader implements SearchReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<Page<SearchEntry, SearchPosition>> {
    const { indexer } = this.#store.records;
    throwIfAborted(context);
    if (!indexer.isReady) throw new UnavailableError('The search index is still being built.');
    await indexer.settled();
    throwIfAborted(context);
    const admits = this.#admission(approved, query);
    const found: SearchEntry[] = [];
    for (const tier of tiersFrom(query.after)) this.#collect(found, query, tier, admits);
    const items = found.slice(0, query.limit);
    return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
  }

  #collect(found: SearchEntry[], query: SearchQuery, tier: 0 | 1, admits: (slot: number) => boolean): void {
    const { table, index } = this.#store.records;
    const after = query.after?.tier === tier ? query.after : null;
    const startsAfter = after === null ? () => true : (slot: number) => table.compareTo(slot, rankOfType(after), after) > 0;
    const walk = new SearchWalk(table, searchTerms(index, query.words), tier, startsAfter);
    while (found.length <= query.limit) {
      const slot = walk.next(admits);
      if (slot < 0) return;
      const entry = this.#entry(slot, tier, query);
      if (entry !== null) found.push(entry);
    }
  }

  #admission(approved: ApprovedRepositories, { types, to }: SearchQuery): (slot: number) => boolean {
    const { table } = this.#store.records;
    const scopes = table.scopeFlags(approved.scopes);
    const ranks = new Set(types.map((type) => rankOf(type === 'status-service' ? 'service' : type)));
    return (slot) => scopes[table.scope(slot)] === 1 && ranks.has(table.rank(slot)) && (table.time(slot) <= to || FIXED_PLACES.has(table.rank(slot)));
  }

  /** The pure rule of the core has the last word, so that the index can never show what it would not. */
  #entry(slot: number, tier: 0 | 1, { words }: SearchQuery): SearchEntry | null {
    const { table, indexer } = this.#store.records;
    const record = table.record(slot);
    if (record === null || !isSearchable(record)) return null;
    const fields = searchFieldsOf(record);
    if (matchFields(withName(fields, indexer.nameFor(record)), words)?.tier !== tier) return null;
    return {
      position: { tier, time: table.time(slot), type: searchTypeOf(record), id: table.key(slot) },
      repositoryRef: scopeOfRecord(record),
      fields,
      record,
    };
  }
}

function tiersFrom(after: SearchPosition | null): readonly (0 | 1)[] {
  return after?.tier === 1 ? [1] : [0, 1];
}

function rankOfType({ type }: SearchPosition): number {
  return rankOf(type === 'status-service' ? 'service' : type);
}

function withName(fields: readonly SearchField[], name: string | null): readonly SearchField[] {
  return name === null ? fields : [...fields, repositoryField(name)];
}
