import { isShaAbbreviation, type SearchWords } from '@vitrine/core';
import { shaTerm, titleTerm } from './segment.js';

/** Terms that a word of a query stands for: one, or all that begin so. */
export interface QueryTerm {
  readonly text: string;
  /** Greater than all that begin so; `null` for one. */
  readonly end: string | null;
}

const HEX = /^[0-9a-f]{2,64}$/;
/** Greater, in the order of terms, than what any term goes on with. */
const AFTER_ALL = '\uffff';

/** The terms of a word of a query, of which a hit holds at least one. */
export interface QueryWord {
  /** Of title fields. A hit of tier 0 holds one of these for each word. */
  readonly title: readonly QueryTerm[];
  /** Of all other fields. */
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

/** Among sorted terms, where those that are meant begin, and where they end. */
export function rangeOf({ text, end }: QueryTerm, sorted: readonly string[]): readonly [number, number] {
  const start = countBelow(sorted, text);
  if (end !== null) return [start, countBelow(sorted, end)];
  return [start, sorted[start] === text ? start + 1 : start];
}

/** Among blocks that begin with such terms, which may hold one that is meant: from one index to before another. */
export function blockRangeOf({ text, end }: QueryTerm, firstTerms: readonly string[]): readonly [number, number] {
  const start = countBelow(firstTerms, text);
  const last = end === null ? start : countBelow(firstTerms, end);
  // What stands before the first term of a block may stand in the one before it.
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
