import type { ListedRecord } from '../domain/kinds.js';
import { scopeOf, timeOf } from '../domain/record-key.js';
import { REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME } from '../domain/search/search-entry.js';
import type { SearchableRecord } from '../domain/search/searchable-record.js';
import type { Instant } from '../domain/shared/instant.js';
import { NO_REPOSITORY, type ScopeRef } from '../domain/repositories/repository-name.js';

/** The time by which search sorts a record: the time of its list, or one of two fixed times after all others. */
export function searchTimeOf(record: SearchableRecord | ListedRecord): Instant {
  if (record.kind === 'service') return SERVICE_SEARCH_TIME;
  return record.kind === 'repository' ? REPOSITORY_SEARCH_TIME : timeOf(record);
}

/** The repository of a record; {@link NO_REPOSITORY} if its kind belongs to none. */
export function scopeOfRecord(record: SearchableRecord | ListedRecord): ScopeRef {
  if (record.kind === 'service') return NO_REPOSITORY;
  return record.kind === 'repository' ? record.repositoryRef : scopeOf(record);
}
