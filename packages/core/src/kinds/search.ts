import { type Instant, LATEST_INSTANT } from './instant.js';
import type { ListedKind, RecordOf } from './kinds.js';
import type { RepositoryRecord } from './repository.js';
import type { Service } from './service.js';

/** The record types that search returns, sorted by name. This order breaks ties. */
export const SEARCH_TYPES = [
  'article',
  'commit',
  'finding',
  'incident',
  'mission',
  'news',
  'release',
  'repository',
  'status-service',
  'video',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

export type SearchableRecord = RecordOf<Exclude<ListedKind, 'build' | 'image'>> | RepositoryRecord | Service;

export function kindOfType(type: SearchType): SearchableRecord['kind'] {
  return type === 'status-service' ? 'service' : type;
}

export const SEARCHED_KINDS: readonly SearchableRecord['kind'][] = SEARCH_TYPES.map(kindOfType);

/** Hits are sorted by time, newest first. These fixed times put repositories before services, and both before all other records. */
export const REPOSITORY_SEARCH_TIME: Instant = LATEST_INSTANT + 2;
export const SERVICE_SEARCH_TIME: Instant = LATEST_INSTANT + 1;

export interface SearchField {
  /** Dot path of the API field, as in `matchedFields`. */
  readonly path: string;
  readonly texts: readonly string[];
  readonly isTitle: boolean;
}

/** The position of the last hit of a page. Tier 0 contains the hits whose title fields contain every word. */
export interface SearchPosition {
  readonly tier: 0 | 1;
  /** The record's list time, or one of the two fixed times above. */
  readonly time: Instant;
  readonly type: SearchType;
  /** The record's full key. */
  readonly id: string;
}

/** One hit as the store returns it. The use case adds values that depend on the time of the response. */
export interface SearchEntry {
  readonly position: SearchPosition;
  readonly record: SearchableRecord;
}
