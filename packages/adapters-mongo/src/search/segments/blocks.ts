import { isRepositoryRef, NO_REPOSITORY, REPOSITORY_SEARCH_TIME, type Instant } from '@vitrine/core';
import { tagIn } from './posting.js';
import type { SegmentEntry } from './segment.js';

/** Entries in one block. A page then reads about as many blocks as it has hits. */
export const BLOCK_ENTRIES = 64;

/** Says in which block of a segment each term and each entry is. It is read before any other block, and cached. */
export interface Directory {
  /** The first term of each term block. */
  readonly terms: readonly string[];
  /** For each term block, the number of its terms and the number of its postings, alternating. */
  readonly sizes: Uint32Array;
  /** The time of the first entry of each entry block. */
  readonly times: readonly Instant[];
  /** The record key of the first entry of each entry block, if the entry before it has the same time; else empty. */
  readonly keys: readonly string[];
}

/** A part of the term dictionary, with the posting lists of its terms. */
export interface TermBlock {
  /** Sorted. */
  readonly terms: readonly string[];
  /** For each term, the index at which its posting list ends. */
  readonly ends: Uint32Array;
  /** The posting lists of all terms. Each of them is sorted. */
  readonly postings: Uint32Array;
}

/** Some entries of a segment, in order. They are decoded only when they are needed. */
export interface EntryBlock {
  readonly times: Float64Array;
  readonly keys: readonly string[];
  readonly scopes: readonly string[];
  /** The indexes of tombstones. */
  readonly gone?: readonly number[];
}

/** A block to store. */
export type Block =
  | { readonly id: string; readonly kind: 'directory'; readonly value: Directory }
  | { readonly id: string; readonly kind: 'terms'; readonly value: TermBlock }
  | { readonly id: string; readonly kind: 'entries'; readonly value: EntryBlock };

/** The directory of a segment has the id of the segment. */
export function termBlockId(segment: string, index: number): string {
  return `${segment} t${String(index)}`;
}

export function entryBlockId(segment: string, index: number): string {
  return `${segment} r${String(index)}`;
}

/** The entry with an index in a block; `null` if there is none or if it is invalid. */
export function entryIn({ times, keys, scopes, gone = [] }: EntryBlock, index: number): SegmentEntry | null {
  const [time, recordKey, scope] = [times[index], keys[index], scopes[index]];
  const isTime = Number.isInteger(time) && time !== undefined && time <= REPOSITORY_SEARCH_TIME;
  return isTime && recordKey !== undefined && (scope === NO_REPOSITORY || isRepositoryRef(scope))
    ? { time, recordKey, repositoryRef: scope, isTombstone: gone.includes(index) }
    : null;
}

/** All entries of a block; `null` if one of them is invalid. */
export function entriesIn(block: EntryBlock): readonly SegmentEntry[] | null {
  const entries = block.keys.flatMap((_key, index) => entryIn(block, index) ?? []);
  return entries.length === block.times.length ? entries : null;
}

/** The posting lists of the terms from one index to another (exclusive). They are sorted within each term. */
export function postingsOf({ ends, postings }: TermBlock, [from, to]: readonly [number, number]): Uint32Array {
  return postings.subarray(from === 0 ? 0 : ends[from - 1], to === 0 ? 0 : ends[to - 1]);
}

/**
 * A block with only the postings of some repositories. If most of a store is hidden, the hidden postings are removed once and not in each search.
 *
 * @param tags for each tag, whether its postings are kept
 */
export function postedBy(tags: Uint8Array, { terms, ends, postings }: TermBlock): TermBlock {
  const [kept, keptEnds, keptTerms] = [new Uint32Array(postings.length), new Uint32Array(ends.length), [] as string[]];
  let [at, count] = [0, 0];
  for (const [index, term] of terms.entries()) {
    const before = count;
    for (const end = ends[index] ?? 0; at < end; at++) {
      const posting = postings[at] ?? 0;
      if (tags[tagIn(posting)] === 1) kept[count++] = posting;
    }
    if (count > before) keptEnds[keptTerms.push(term) - 1] = count;
  }
  return { terms: keptTerms, ends: keptEnds.slice(0, keptTerms.length), postings: kept.slice(0, count) };
}
