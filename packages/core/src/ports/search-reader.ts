import type { SearchEntry, SearchPosition } from '../domain/search/search-entry.js';
import type { SearchType } from '../domain/search/search-types.js';
import type { Instant } from '../domain/shared/instant.js';
import type { Page } from '../domain/shared/page.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { SearchWords } from '../policies/search-words.js';
import type { ReadContext } from './read-context.js';

export interface SearchQuery {
  /** At least one word. */
  readonly words: SearchWords;
  readonly types: readonly SearchType[];
  /** 1 to 100. */
  readonly limit: number;
  readonly after: SearchPosition | null;
  /** Records with a later time are not found. */
  readonly to: Instant;
}

/** A page of hits. */
export interface FoundPage extends Page<SearchEntry, SearchPosition> {
  /** The share of approved records that can be found, from 0 to below 1. Absent if all of them can. */
  readonly searchable?: number;
}

export interface SearchReader {
  /** Title hits first, then by time, type and key. An entry whose record no longer matches is skipped, and the page is still full. */
  search(approved: ApprovedRepositories, query: SearchQuery, context: ReadContext): Promise<FoundPage>;
}
