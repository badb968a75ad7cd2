import { compareText, type Instant, type ScopeRef, type SearchType } from '@vitrine/core';
import { positionId } from './position.js';

/**
 * What a segment stores about one record. Its number in the segment is its document id. Document ids are in the order of hits. (In the stored format an entry is
 * called a row.)
 */
export interface SegmentEntry {
  readonly time: Instant;
  /** The key of the record in its own collection. */
  readonly recordKey: string;
  readonly repositoryRef: ScopeRef;
  /** A tombstone: the record no longer has this position, even if an older segment says so. */
  readonly isTombstone: boolean;
}

/** An entry that is not in a segment yet. */
export interface NewEntry {
  readonly type: SearchType;
  readonly entry: SegmentEntry;
  /** Each term once. A tombstone has none. */
  readonly terms: readonly string[];
}

/** A stored segment, as its list names it. */
export interface SegmentRef {
  readonly id: string;
  /** The id of a run. The segments of one run were written together. Each of them contains older entries than the one before it. */
  readonly run: string;
  /** The number of entries, tombstones included. */
  readonly rows: number;
  readonly newest: Instant;
  readonly oldest: Instant;
}

export interface SegmentList {
  readonly revision: number;
  /** The oldest first; the segments of one run are next to each other. */
  readonly segments: readonly SegmentRef[];
}

/** The order of entries in segments of a type. */
export function entryOrder(type: SearchType): (a: SegmentEntry, b: SegmentEntry) => number {
  return (a, b) =>
    b.time - a.time || compareText(positionId(type, a.recordKey), positionId(type, b.recordKey)) || compareText(a.recordKey, b.recordKey);
}
