import { compareText, LATEST_INSTANT, nameOfRef, type Instant, type RepositoryRef, type SearchPosition, type SearchType } from '@vitrine/core';

/** Hits whose title fields contain every word have tier 0, and come before all others, which have tier 1. */
export type Tier = SearchPosition['tier'];

/** The id that search orders by. For a repository it is the name. */
export function positionId(type: SearchType, recordKey: string): string {
  return type === 'repository' ? nameOfRef(recordKey as RepositoryRef) : recordKey;
}

/** Whether a time is in the future. Repositories and services have a fixed time after all others, and are always found. */
export function isDatedAhead(time: Instant, to: Instant): boolean {
  return time > to && time <= LATEST_INSTANT;
}

/** Compares two positions in the order of hits. */
export function comparePositions(a: SearchPosition, b: SearchPosition): number {
  return a.tier - b.tier || b.time - a.time || compareText(a.type, b.type) || compareText(a.id, b.id);
}

/** Whether a position comes before another one. `null` is the end, after all positions. */
export function isBefore(position: SearchPosition, other: SearchPosition | null): boolean {
  return other === null || comparePositions(position, other) < 0;
}
