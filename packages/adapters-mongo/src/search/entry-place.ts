import {
  compareText,
  keyOfIdentity,
  LATEST_INSTANT,
  nameOfRef,
  scopeOfRecord,
  searchTimeOf,
  searchTypeOf,
  type Instant,
  type RepositoryRef,
  type ScopeRef,
  type SearchableRecord,
  type SearchPosition,
  type SearchType,
} from '@vitrine/core';

export type Tier = SearchPosition['tier'];

/** The position of a record in the order of hits, as its search entry stores it. */
export interface EntryPlace extends Omit<SearchPosition, 'tier'> {
  readonly repositoryRef: ScopeRef;
  /** The key of the record in its own collection. */
  readonly recordKey: string;
}

export interface TieredEntry {
  readonly tier: Tier;
  readonly entry: EntryPlace;
}

/** The position of a record in the order of hits. */
export function placeOfRecord(record: SearchableRecord): EntryPlace {
  const [type, recordKey] = [searchTypeOf(record), keyOfIdentity(record)];
  return { type, recordKey, id: positionId(type, recordKey), time: searchTimeOf(record), repositoryRef: scopeOfRecord(record) };
}

/** The id that search orders by. For a repository it is the name. */
export function positionId(type: SearchType, recordKey: string): string {
  return type === 'repository' ? nameOfRef(recordKey as RepositoryRef) : recordKey;
}

/** A key that is unique over all record types. */
export function entryKey(type: SearchType, recordKey: string): string {
  return `${type} ${recordKey}`;
}

/** Whether a time is in the future. Repositories and services have a fixed time after all others, and are always found. */
export function isDatedAhead(time: Instant, to: Instant): boolean {
  return time > to && time <= LATEST_INSTANT;
}

/** Compares two positions in the order of hits. */
export function comparePlaces(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}

/** Whether a position comes before another one. `null` is the end, after all positions. */
export function isBefore(position: SearchPosition, other: SearchPosition | null): boolean {
  return other === null || comparePlaces(position, other) < 0;
}
