import { queryWords } from './tokenize.js';

/** The words of a query: all must match, the last one from two characters on also as a prefix. */
export interface SearchWords {
  readonly whole: readonly string[];
  /** The last word, when it may also match as a prefix; it is not among `whole`. */
  readonly prefix: string | null;
}

export const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 100;

const CONTROL = /\p{Cc}/u;

/** The query as it counts: NFC, trimmed, white space collapsed. `null` when it has control characters, or not 2 to 100 code points. */
export function normalizeQuery(text: string): string | null {
  if (CONTROL.test(text)) return null;
  const query = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  const length = [...query].length;
  return length >= MIN_QUERY_LENGTH && length <= MAX_QUERY_LENGTH ? query : null;
}

/** The words of a normalised query, each once; `null` when it holds none, such as `++`. */
export function searchWordsOf(query: string): SearchWords | null {
  const words = queryWords(query);
  const last = words.at(-1);
  if (last === undefined) return null;
  const prefix = [...last].length >= 2 ? last : null;
  const whole = new Set(prefix === null ? words : words.slice(0, -1));
  return { whole: [...whole], prefix };
}

const SHA_ABBREVIATION = /^[0-9a-f]{7,64}$/;

/** Whether a word, wherever it stands in the query, also matches the start of a commit's sha. */
export function isShaAbbreviation(word: string): boolean {
  return SHA_ABBREVIATION.test(word);
}
