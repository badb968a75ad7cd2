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

/** Where a record stands in search, as its entry says. */
export interface EntryPlace extends Omit<SearchPosition, 'tier'> {
  readonly repositoryRef: ScopeRef;
  /** The record's key in its own collection. */
  readonly recordKey: string;
}

export interface TieredEntry {
  readonly tier: Tier;
  readonly entry: EntryPlace;
}

/** Where a record stands in search. */
export function placeOfRecord(record: SearchableRecord): EntryPlace {
  const [type, recordKey] = [searchTypeOf(record), keyOfIdentity(record)];
  return { type, recordKey, id: positionId(type, recordKey), time: searchTimeOf(record), repositoryRef: scopeOfRecord(record) };
}

/** The id by which search orders: a repository's is its name. */
export function positionId(type: SearchType, recordKey: string): string {
  return type === 'repository' ? nameOfRef(recordKey as RepositoryRef) : recordKey;
}

/** A record among those of all types. */
export function entryKey(type: SearchType, recordKey: string): string {
  return `${type} ${recordKey}`;
}

/** Whether something of this date is found: repositories and services are dated beyond every record, and always found. */
export function isDatedAhead(time: Instant, to: Instant): boolean {
  return time > to && time <= LATEST_INSTANT;
}

/** The order of hits. */
export function comparePlaces(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}

/** Whether a position stands before another one, or before the end where there is none. */
export function isBefore(position: SearchPosition, other: SearchPosition | null): boolean {
  return other === null || comparePlaces(position, other) < 0;
}
