import type { Article } from './article.js';
import type { Commit } from './commit.js';
import type { Finding } from './finding.js';
import { type Instant, LATEST_INSTANT } from './instant.js';
import type { Mission } from './mission.js';
import type { News } from './news.js';
import type { Release } from './release.js';
import type { ScopeRef } from './repository-name.js';
import type { RepositoryRecord } from './repository.js';
import type { Service } from './service.js';

/** The record types that search returns, sorted by name. This order breaks ties. */
export const SEARCH_TYPES = ['article', 'commit', 'finding', 'mission', 'news', 'release', 'repository', 'status-service'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

export type SearchableRecord = Commit | Release | Finding | RepositoryRecord | News | Article | Service | Mission;

/** Hits are sorted by time, newest first. These fixed times put repositories before services, and both before all other records. */
export const REPOSITORY_SEARCH_TIME: Instant = LATEST_INSTANT + 2;
export const SERVICE_SEARCH_TIME: Instant = LATEST_INSTANT + 1;

/** A field that is searched. */
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
  readonly repositoryRef: ScopeRef;
  /** The searched fields, except the repository's name. */
  readonly fields: readonly SearchField[];
  readonly record: SearchableRecord;
}
