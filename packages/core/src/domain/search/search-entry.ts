import type { ScopeRef } from '../repositories/repository-name.js';
import { LATEST_INSTANT, type Instant } from '../shared/instant.js';
import type { SearchableRecord } from './searchable-record.js';
import type { SearchType } from './search-types.js';

/** Repositories come before services, and both before everything that has a time. */
export const REPOSITORY_SEARCH_TIME: Instant = LATEST_INSTANT + 2;
export const SERVICE_SEARCH_TIME: Instant = LATEST_INSTANT + 1;

/** A field that search looks into. */
export interface SearchField {
  /** Dot path of the API field, as in `matchedFields`. */
  readonly path: string;
  readonly texts: readonly string[];
  readonly isTitle: boolean;
}

/** Where a page of hits ends. Tier 0 holds the hits whose title fields hold every word. */
export interface SearchPosition {
  readonly tier: 0 | 1;
  /** The record's list time, or one of the two fixed times above. */
  readonly time: Instant;
  readonly type: SearchType;
  /** The record's whole key. */
  readonly id: string;
}

/** One hit as the store finds it; the use case adds what is only known at the moment of the answer. */
export interface SearchEntry {
  readonly position: SearchPosition;
  readonly repositoryRef: ScopeRef;
  /** What is searched, except the repository's name. */
  readonly fields: readonly SearchField[];
  readonly record: SearchableRecord;
}
