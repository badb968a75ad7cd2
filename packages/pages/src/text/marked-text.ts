import { queryWords } from '@vitrine/core';

/** A piece of a text, and whether a word of the query stands in it. */
export interface TextPart {
  readonly part: string;
  readonly isMatch: boolean;
}

/** A word: letters, marks and digits in a row. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Splits a text so that the words that begin like a word of the query can be marked. Letter case and accents are ignored, as in the search. */
export function markedText(text: string, query: string): readonly TextPart[] {
  const words = queryWords(query);
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (!queryWords(word).some((known) => words.some((wanted) => known.startsWith(wanted)))) continue;
    if (match.index > from) parts.push({ part: text.slice(from, match.index), isMatch: false });
    parts.push({ part: word, isMatch: true });
    from = match.index + word.length;
  }
  return from < text.length ? [...parts, { part: text.slice(from), isMatch: false }] : parts;
}
