import { isShaAbbreviation, type SearchWords } from '@vitrine/core';
import { shaTerm, titleTerm } from './terms.js';

/** The terms that a word of a query matches: a single term, or all terms with a prefix. */
export interface QueryTerm {
  readonly text: string;
  /** The end of the range of a prefix (exclusive); `null` for a single term. */
  readonly end: string | null;
}

const HEX = /^[0-9a-f]{2,64}$/;
/** Sorts after every possible continuation of a prefix. */
const AFTER_ALL = '\uffff';

/** The terms of one word of a query. A hit contains at least one of them. */
export interface QueryWord {
  /** Terms of title fields. A hit of tier 0 contains one of these for each word. */
  readonly title: readonly QueryTerm[];
  /** Terms of all other fields. */
  readonly other: QueryTerm;
}

export function queryTerms({ whole, prefix }: SearchWords): readonly QueryWord[] {
  const words = whole.map((word) => termsOf(word, oneTerm, isShaAbbreviation(word)));
  return prefix === null ? words : [...words, termsOf(prefix, termsFrom, HEX.test(prefix))];
}

function termsOf(word: string, termOf: (text: string) => QueryTerm, mayBeSha: boolean): QueryWord {
  return { title: [termOf(titleTerm(word)), ...(mayBeSha ? [termsFrom(shaTerm(word))] : [])], other: termOf(word) };
}

export function oneTerm(text: string): QueryTerm {
  return { text, end: null };
}

export function termsFrom(text: string): QueryTerm {
  return { text, end: text + AFTER_ALL };
}

/** Returns the start and end index of the matching terms in a sorted list. */
export function rangeOf({ text, end }: QueryTerm, sorted: readonly string[]): readonly [number, number] {
  const start = countBelow(sorted, text);
  if (end !== null) return [start, countBelow(sorted, end)];
  return [start, sorted[start] === text ? start + 1 : start];
}

/** Returns the start and end index of the blocks that may contain matching terms, from the first term of each block. */
export function blockRangeOf({ text, end }: QueryTerm, firstTerms: readonly string[]): readonly [number, number] {
  const start = countBelow(firstTerms, text);
  const last = end === null ? start : countBelow(firstTerms, end);
  // A term that sorts before the first term of a block may be in the block before it.
  return firstTerms[start] === text ? [start, Math.max(last, start + 1)] : [Math.max(0, start - 1), last];
}

function countBelow(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
