import { LATEST_INSTANT, nameOfRef, SEARCH_TYPES, type Instant, type RepositoryRef, type SearchPosition, type SearchType } from '@vitrine/core';

/** Nothing in search stands before this time: repositories and services are dated beyond every record. */
export const FIRST_TIME: Instant = LATEST_INSTANT + 2;

/** Characters of an id in the place of a record. Short, because every index key holds it; where it does not tell two records apart, readers look at the whole id. */
const ID_LENGTH = 16;

/** Where an entry stands among those of its time: by type, then by the beginning of its id. */
export function placeOf({ time, type, id }: Pick<SearchPosition, 'time' | 'type' | 'id'>): string {
  // All repositories, and all services, share one time, so there the whole id counts.
  return String(SEARCH_TYPES.indexOf(type)) + (time > LATEST_INSTANT ? id : id.slice(0, ID_LENGTH));
}

/** The id of an entry's document. */
export function entryKey(type: SearchType, recordKey: string): string {
  return `${type} ${recordKey}`;
}

/** The record's key in its own collection, from the id of its entry; `null` when that is none. */
export function recordKeyOf(type: SearchType, id: string): string | null {
  return id.startsWith(`${type} `) ? id.slice(type.length + 1) : null;
}

/** The id by which search orders: a repository's is its name. */
export function positionId(type: SearchType, recordKey: string): string {
  return type === 'repository' ? nameOfRef(recordKey as RepositoryRef) : recordKey;
}
