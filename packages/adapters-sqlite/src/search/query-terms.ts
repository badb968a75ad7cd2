import { isShaAbbreviation, SEARCH_TYPES, type SearchType, type SearchWords } from '@vitrine/core';
import { ANYWHERE, SHA, SHA_DIGITS, TITLE, typeWord } from './entry-words.js';

/** Finds the words of the index that begin with a text, at most `limit`. */
export type WordsFrom = (prefix: string, limit: number) => readonly string[];

/** Longer prefixes are not in the index of prefixes. Without it, SQLite would read all entries of all words with the prefix before the first hit. */
const INDEXED_PREFIX = 4;
/** Up to this number, the words with a long prefix are named in the query. */
const MAX_NAMED = 24;
const HEX = /^[0-9a-f]{2,64}$/;

/** What FTS5 searches for, by tier: entries whose title fields have all words, and all other entries that have all words. */
export type Matches = readonly [titles: string, others: string];

/** The two queries in the language of FTS5. Words contain only letters, marks and digits, and each is quoted. */
export function matchesOf({ whole, prefix }: SearchWords, types: readonly SearchType[], wordsFrom: WordsFrom): Matches {
  const all = (mark: string): string =>
    [...whole.map((word) => wholeWord(mark, word)), ...(prefix === null ? [] : [prefixWord(mark, prefix, wordsFrom)])].join(' AND ');
  const only = types.length === SEARCH_TYPES.length ? '' : ` AND ${ofTypes(types)}`;
  const titles = all(TITLE);
  return [`${titles}${only}`, `(${all(ANYWHERE)}${only}) NOT (${titles})`];
}

/** Entries of any of these types. */
export function ofTypes(types: readonly SearchType[]): string {
  return anyOf(types.map((type) => quoted(typeWord(type))));
}

function wholeWord(mark: string, word: string): string {
  return anyOf([quoted(mark + word), ...(isShaAbbreviation(word) ? [shaFrom(word)] : [])]);
}

function prefixWord(mark: string, prefix: string, wordsFrom: WordsFrom): string {
  return anyOf([...wordsWith(mark + prefix, wordsFrom), ...(HEX.test(prefix) ? [shaFrom(prefix)] : [])]);
}

function wordsWith(prefix: string, wordsFrom: WordsFrom): readonly string[] {
  if ([...prefix].length <= INDEXED_PREFIX + 1) return [beginning(prefix)];
  const named = wordsFrom(prefix, MAX_NAMED + 1);
  return named.length > MAX_NAMED || named.length === 0 ? [beginning(prefix)] : named.map(quoted);
}

function shaFrom(digits: string): string {
  return beginning(SHA + digits.slice(0, SHA_DIGITS));
}

function beginning(prefix: string): string {
  return `${quoted(prefix)} *`;
}

function quoted(word: string): string {
  return `"${word}"`;
}

function anyOf(terms: readonly string[]): string {
  return `(${terms.join(' OR ')})`;
}
