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

/** For each word of a query the terms of which a hit of the tier holds at least one; of tier 1 also those that hold them all in title fields. */
export function queryTerms({ whole, prefix }: SearchWords, tier: Tier): readonly (readonly QueryTerm[])[] {
  const terms = (word: string, isPrefix: boolean, mayBeSha: boolean) => [
    { text: titleTerm(word), isPrefix },
    ...(tier === 0 ? [] : [{ text: word, isPrefix }]),
    ...(mayBeSha ? [{ text: shaTerm(word), isPrefix: true }] : []),
  ];
  const words = whole.map((word) => terms(word, false, isShaAbbreviation(word)));
  return prefix === null ? words : [...words, terms(prefix, true, HEX.test(prefix))];
}

/** Among sorted terms, where those that are meant begin, and where they end. */
export function rangeOf({ text, isPrefix }: QueryTerm, sorted: readonly string[]): readonly [number, number] {
  const start = countBelow(sorted, text);
  if (isPrefix) return [start, countBelow(sorted, text + AFTER_ALL)];
  return [start, sorted[start] === text ? start + 1 : start];
}

/** Whether one of the terms stands in a text of many, with a blank between two; now and then also when none does. */
export function mayBeAmong({ text, isPrefix }: QueryTerm, terms: string): boolean {
  const inside = ` ${text}`;
  return terms.startsWith(text) || terms.includes(isPrefix ? inside : `${inside} `) || (!isPrefix && terms.endsWith(inside));
}

/** The same among blocks that begin with such terms. */
export function blockRangeOf({ text, isPrefix }: QueryTerm, firstTerms: readonly string[]): readonly [number, number] {
  const [start, end] = isPrefix ? [countBelow(firstTerms, text), countBelow(firstTerms, text + AFTER_ALL)] : rangeOf({ text, isPrefix }, firstTerms);
  // What stands before the first term of a block may stand in the one before it.
  return firstTerms[start] === text ? [start, Math.max(end, start + 1)] : [Math.max(0, start - 1), Math.max(end, start)];
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
