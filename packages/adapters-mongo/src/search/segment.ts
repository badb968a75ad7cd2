import { compareText, type Instant, type ScopeRef, type SearchType } from '@vitrine/core';
import { positionId } from './entry-place.js';
import type { NewEntry } from './new-entry.js';
import { postingOf, tagOf } from './posting.js';

/** What a segment says of one record. */
export interface SegmentRow {
  readonly time: Instant;
  /** The record's key in its own collection. */
  readonly recordKey: string;
  readonly repositoryRef: ScopeRef;
  /** A tombstone: older segments may say otherwise, but the record does not stand here any more. */
  readonly isGone: boolean;
}

/** The rows that hold a term, in their order; see {@link postingOf}. */
export type Postings = readonly number[] | Uint32Array;

/** Some entries of one type, turned round: for each term the rows that hold it. Never changed once it is stored. */
export interface Segment {
  /** In the order of hits. */
  readonly rows: readonly SegmentRow[];
  readonly terms: ReadonlyMap<string, Postings>;
}

/** Nearly every sha is a term of its own, so only its beginning is. */
const SHA_LENGTH = 12;

/** The term for a word of a title field; elsewhere the word itself is one. Apart, because title hits come first, and most words stand elsewhere. */
export function titleTerm(word: string): string {
  return `!${word}`;
}

/** The term for what a sha, which counts as a title, begins with. No word holds `!` or `#`. */
export function shaTerm(sha: string): string {
  return `!#${sha.slice(0, SHA_LENGTH)}`;
}

/** The order of rows in segments of a type. */
export function rowOrder(type: SearchType): (a: SegmentRow, b: SegmentRow) => number {
  return (a, b) =>
    b.time - a.time || compareText(positionId(type, a.recordKey), positionId(type, b.recordKey)) || compareText(a.recordKey, b.recordKey);
}

/** @param entries of the type, each place once, at most as many as a segment has rows */
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
