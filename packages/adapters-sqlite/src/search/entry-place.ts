import {
  keyOfIdentity,
  LATEST_INSTANT,
  nameOfRef,
  searchTimeOf,
  searchTypeOf,
  type Instant,
  type SearchableRecord,
  type SearchPosition,
} from '@vitrine/core';

/**
 * The place of an entry is a number: the second of its time, counted backwards, and a serial number within that second. So entries that are read by place are newest
 * first. The entries of one second are sorted after they were read. Milliseconds would leave too few bits for the serial number: 315 billion milliseconds fit in 49 bits.
 */
export const SERIAL_BITS = 24;

/** Repositories and services have no time. They come before all other entries. */
export const TIMELESS_SECOND = 0;

const LAST_SECOND = Math.floor(LATEST_INSTANT / 1_000);

/** The position of a hit without its tier. */
export type EntryPosition = Omit<SearchPosition, 'tier'>;

/** The second of a time, counted backwards from the latest time. */
export function backwardSecond(time: Instant): number {
  return time > LATEST_INSTANT ? TIMELESS_SECOND : LAST_SECOND - Math.floor(time / 1_000) + 1;
}

export function positionOfRecord(record: SearchableRecord): EntryPosition {
  const id = record.kind === 'repository' ? nameOfRef(record.repositoryRef) : keyOfIdentity(record);
  return { time: searchTimeOf(record), type: searchTypeOf(record), id };
}

/** The first place of a second. Places are 64-bit integers, which numbers cannot hold. */
export function firstPlace(second: number): bigint {
  return BigInt(second) << BigInt(SERIAL_BITS);
}
