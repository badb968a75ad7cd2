import { isShaAbbreviation, type SearchWords } from '@vitrine/core';
import type { Tier } from './entry-place.js';
import { shaTerm, titleTerm } from './segment.js';

/** Terms that a word of a query stands for: one, or all that begin so. */
export interface QueryTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

const HEX = /^[0-9a-f]{2,64}$/;
/** Greater, in the order of terms, than what any term goes on with. */
const AFTER_ALL = '\uffff';

/** For each word of a query the terms of which a hit holds at least one. */
export type QueryWords = readonly (readonly QueryTerm[])[];

/** The same for the hits of each tier; of tier 1 those too that hold every word in title fields. */
export type TierWords = Readonly<Record<Tier, QueryWords>>;

export function queryTerms({ whole, prefix }: SearchWords): TierWords {
  const words = whole.map((word) => termsOf(word, false, isShaAbbreviation(word)));
  if (prefix !== null) words.push(termsOf(prefix, true, HEX.test(prefix)));
  return { 0: words.map(({ title }) => title), 1: words.map(({ title, other }) => [...title, other]) };
}

function termsOf(word: string, isPrefix: boolean, mayBeSha: boolean) {
  const title = [{ text: titleTerm(word), isPrefix }, ...(mayBeSha ? [{ text: shaTerm(word), isPrefix: true }] : [])];
  return { title, other: { text: word, isPrefix } };
}

/** Among sorted terms, where those that are meant begin, and where they end. */
export function rangeOf({ text, isPrefix }: QueryTerm, sorted: readonly string[]): readonly [number, number] {
  const start = countBelow(sorted, text);
  if (isPrefix) return [start, countBelow(sorted, text + AFTER_ALL)];
  return [start, sorted[start] === text ? start + 1 : start];
}

/** Among blocks that begin with such terms, which may hold one that is meant: from one index to before another. */
export function blockRangeOf({ text, isPrefix }: QueryTerm, firstTerms: readonly string[]): readonly [number, number] {
  const start = countBelow(firstTerms, text);
  const end = isPrefix ? countBelow(firstTerms, text + AFTER_ALL) : start;
  // What stands before the first term of a block may stand in the one before it.
  return firstTerms[start] === text ? [start, Math.max(end, start + 1)] : [Math.max(0, start - 1), end];
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
