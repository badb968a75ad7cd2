import type { SearchField } from '../domain/search/search-entry.js';
import { isShaAbbreviation, type SearchWords } from './search-words.js';
import { entryWords, mayHoldWord } from './tokenize.js';

/** How a record matches a query. */
export interface FieldMatch {
  /** 0 if the title fields contain every word, otherwise 1. */
  readonly tier: 0 | 1;
  /** The fields in which at least one word matches, in the given order; never empty. */
  readonly matchedFields: readonly string[];
}

/** Applies the rule of search to one record; `null` if a word matches in no field. */
export function matchFields(fields: readonly SearchField[], words: SearchWords): FieldMatch | null {
  const tests = [...words.whole.map(wholeWord), ...(words.prefix === null ? [] : [prefixWord(words.prefix)])];
  const hits = fields.map((field) => ({ field, matching: matchingTests(field, tests) })).filter(({ matching }) => matching.length > 0);
  if (tests.length === 0 || !areAllMet(tests, hits)) return null;
  const titleHits = hits.filter(({ field }) => field.isTitle);
  return { tier: areAllMet(tests, titleHits) ? 0 : 1, matchedFields: hits.map(({ field }) => field.path) };
}

function areAllMet(tests: readonly WordTest[], hits: readonly { readonly matching: readonly number[] }[]): boolean {
  return new Set(hits.flatMap(({ matching }) => matching)).size === tests.length;
}

interface WordTest {
  /** Every word that passes starts with this. */
  readonly start: string;
  passes(entryWord: string, path: string): boolean;
}

function matchingTests({ texts, path }: SearchField, tests: readonly WordTest[]): number[] {
  const starts = tests.map(({ start }) => start);
  const words = texts.filter((text) => mayHoldWord(text, starts)).flatMap((text) => entryWords(text));
  return [...tests.keys()].filter((index) => words.some((word) => tests[index]?.passes(word, path)));
}

function wholeWord(word: string): WordTest {
  const startsSha = isShaAbbreviation(word);
  return { start: word, passes: (entryWord, path) => entryWord === word || (startsSha && path === 'sha' && entryWord.startsWith(word)) };
}

function prefixWord(word: string): WordTest {
  return { start: word, passes: (entryWord) => entryWord.startsWith(word) };
}
