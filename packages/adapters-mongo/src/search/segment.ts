import { compareText, type Instant, type ScopeRef, type SearchType } from '@vitrine/core';
import { positionId } from './entry-place.js';
import type { NewEntry } from './new-entry.js';
import { postingOf, tagOf } from './posting.js';

/** One record in a segment. */
export interface SegmentRow {
  readonly time: Instant;
  /** The key of the record in its own collection. */
  readonly recordKey: string;
  readonly repositoryRef: ScopeRef;
  /** A tombstone: the record no longer has this position, even if an older segment says so. */
  readonly isGone: boolean;
}

/** The postings of a term, sorted; see {@link postingOf}. */
export type Postings = readonly number[] | Uint32Array;

/** An inverted index of some entries of one type: for each term the rows that contain it. Never changed after it is stored. */
export interface Segment {
  /** In the order of hits. */
  readonly rows: readonly SegmentRow[];
  readonly terms: ReadonlyMap<string, Postings>;
}

/** Nearly every sha is unique, so only its prefix is a term. */
const SHA_LENGTH = 12;

/** The term for a word of a title field; a word of another field is a term as it is. They differ, because title hits come first and most words are in other fields. */
export function titleTerm(word: string): string {
  return `!${word}`;
}

/** The term for the prefix of a sha, which counts as a title. No word contains `!` or `#`. */
export function shaTerm(sha: string): string {
  return `!#${sha.slice(0, SHA_LENGTH)}`;
}

/** The order of rows in segments of a type. */
export function rowOrder(type: SearchType): (a: SegmentRow, b: SegmentRow) => number {
  return (a, b) =>
    b.time - a.time || compareText(positionId(type, a.recordKey), positionId(type, b.recordKey)) || compareText(a.recordKey, b.recordKey);
}

/** @param entries entries of this type, each position once, at most as many as a segment has rows */
export function segmentOf(type: SearchType, entries: readonly NewEntry[]): Segment {
  const order = rowOrder(type);
  const sorted = entries.map((entry) => ({ entry, row: rowOfEntry(entry) })).sort((a, b) => order(a.row, b.row));
  const terms = new Map<string, number[]>();
  for (const [row, { entry }] of sorted.entries()) {
    const posting = postingOf(row, tagOf(entry.place.repositoryRef));
    for (const term of termsOf(entry)) {
      const postings = terms.get(term);
      if (postings === undefined) terms.set(term, [posting]);
      else postings.push(posting);
    }
  }
  return { rows: sorted.map(({ row }) => row), terms };
}

function termsOf({ words, sha }: NewEntry): readonly string[] {
  if (words === null) return [];
  return [...[...words.title].map(titleTerm), ...words.other, ...(sha === null ? [] : [shaTerm(sha)])];
}

function rowOfEntry({ place: { time, recordKey, repositoryRef }, words }: NewEntry): SegmentRow {
  return { time, recordKey, repositoryRef, isGone: words === null };
}
