import type { SearchField } from '../domain/search/search-entry.js';
import { isShaAbbreviation, type SearchWords } from './search-words.js';
import { entryWords } from './tokenize.js';

/** How a record matches a query. */
export interface FieldMatch {
  /** 0: the title fields hold every word. */
  readonly tier: 0 | 1;
  /** The fields in which at least one word matches, in their order; never empty. */
  readonly matchedFields: readonly string[];
}

/** The rule of search, on one record as it is served; `null` when some word matches nowhere. */
export function matchFields(fields: readonly SearchField[], words: SearchWords): FieldMatch | null {
  const tests = [...words.whole.map(wholeWord), ...(words.prefix === null ? [] : [prefixWord(words.prefix)])];
  const missing = new Set(tests.keys());
  const missingInTitle = new Set(tests.keys());
  const matchedFields: string[] = [];
  for (const field of fields) {
    const hits = matchingTests(field, tests);
    if (hits.length > 0) matchedFields.push(field.path);
    for (const hit of hits) {
      missing.delete(hit);
      if (field.isTitle) missingInTitle.delete(hit);
    }
  }
  return missing.size > 0 || tests.length === 0 ? null : { tier: missingInTitle.size === 0 ? 0 : 1, matchedFields };
}

type WordTest = (entryWord: string, path: string) => boolean;

function matchingTests(field: SearchField, tests: readonly WordTest[]): number[] {
  const words = field.texts.flatMap((text) => entryWords(text));
  return [...tests.keys()].filter((index) => words.some((word) => tests[index]?.(word, field.path) === true));
}

function wholeWord(word: string): WordTest {
  const startsSha = isShaAbbreviation(word);
  return (entryWord, path) => entryWord === word || (startsSha && path === 'sha' && entryWord.startsWith(word));
}

function prefixWord(word: string): WordTest {
  return (entryWord) => entryWord.startsWith(word);
}
