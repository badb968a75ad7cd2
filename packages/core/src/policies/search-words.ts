import { queryWords } from './tokenize.js';

/** The words of a query. All must match. The last word also matches as a prefix if it has at least two characters. */
export interface SearchWords {
  readonly whole: readonly string[];
  /** The last word, if it may also match as a prefix. It is not in `whole`. */
  readonly prefix: string | null;
}

export const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 100;

const CONTROL = /\p{Cc}/u;

/** The query in NFC, trimmed, with white space collapsed. `null` if it has control characters, or not 2 to 100 code points. */
export function normalizeQuery(text: string): string | null {
  if (CONTROL.test(text)) return null;
  const query = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  const length = [...query].length;
  return length >= MIN_QUERY_LENGTH && length <= MAX_QUERY_LENGTH ? query : null;
}

/** The words of a normalised query, each once; `null` if it contains none, such as `++`. */
export function searchWordsOf(query: string): SearchWords | null {
  const words = queryWords(query);
  const last = words.at(-1);
  if (last === undefined) return null;
  const prefix = [...last].length >= 2 ? last : null;
  const whole = new Set(prefix === null ? words : words.slice(0, -1));
  return { whole: [...whole], prefix };
}

const SHA_ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether a word, at any position in the query, also matches the start of a commit's sha. */
export function isShaAbbreviation(word: string): boolean {
  return SHA_ABBREVIATION.test(word);
}
