import { isShaAbbreviation, LATEST_INSTANT, SEARCH_TYPES, searchTypeOf } from '@vitrine/core';
import type { Instant, RecordWords, SearchableRecord, SearchPosition, SearchType, SearchWords } from '@vitrine/core';

/** How many digits of a sha are a word. A longer beginning is compared with the record. */
const SHA_DIGITS = 8;

/** The prefix of each word is its type: a word of a title field, a word of any field, or the beginning of a sha. Words of a title have both. */
const TITLE = 't';
const ANYWHERE = 'a';
const SHA = 'h';

/** The word of each type, which stored entries contain. It is too short for the index of prefixes. */
const TYPE_WORDS: Readonly<Record<SearchType, string>> = {
  article: 'k0',
  commit: 'k1',
  finding: 'k2',
  mission: 'k3',
  news: 'k4',
  release: 'k5',
  repository: 'k6',
  'status-service': 'k7',
  incident: 'k8',
  video: 'k9',
};

/** The words of an entry, separated by spaces. They are letters, marks and digits in lower case, which the tokenizer `ascii` leaves as they are. @param repositoryName whose words count too */
export function entryWordsOf(words: RecordWords, record: SearchableRecord, repositoryName: string | null): string {
  const found = new Set([TYPE_WORDS[searchTypeOf(record)]]);
  if (record.kind === 'commit') found.add(SHA + record.sha.slice(0, SHA_DIGITS));
  words.visit(record, repositoryName, (word, inTitle) => {
    found.add(ANYWHERE + word);
    if (inTitle) found.add(TITLE + word);
  });
  return [...found].join(' ');
}

/**
 * The place of an entry is a number: the second of its time, counted backwards, and a serial number within that second. So entries that are read by place are newest
 * first. The entries of one second are sorted after they were read. Milliseconds would leave too few bits for the serial number: 315 billion milliseconds fit in 49 bits.
 */
export const SERIAL_BITS = 24;

/** Repositories and services have no time. They come before all other entries. */
export const TIMELESS_SECOND = 0;

const LAST_SECOND = Math.floor(LATEST_INSTANT / 1_000);

export type EntryPosition = Omit<SearchPosition, 'tier'>;

/** The second of a time, counted backwards from the latest time. */
export function backwardSecond(time: Instant): number {
  return time > LATEST_INSTANT ? TIMELESS_SECOND : LAST_SECOND - Math.floor(time / 1_000) + 1;
}

/** The first place of a second. Places are 64-bit integers, which numbers cannot hold. */
export function firstPlace(second: number): bigint {
  return BigInt(second) << BigInt(SERIAL_BITS);
}

export type WordsFrom = (prefix: string, limit: number) => readonly string[];

/** Longer prefixes are not in the index of prefixes. Without it, SQLite would read all entries of all words with the prefix before the first hit. */
const INDEXED_PREFIX = 4;
/** Up to this number, the words with a long prefix are named in the query. */
const MAX_NAMED = 24;
const HEX = /^[0-9a-f]{2,64}$/;

/** What FTS5 searches for, by tier: entries whose title fields have all words, and all other entries that have all words. */
export type Matches = readonly [titles: string, others: string];

/** Returns the two queries for entries of some types, in the language of FTS5. Words contain only letters, marks and digits, and each is quoted. */
export function matchesOf({ whole, prefix }: SearchWords, wordsFrom: WordsFrom): (types: readonly SearchType[]) => Matches {
  const all = (mark: string): string =>
    [...whole.map((word) => wholeWord(mark, word)), ...(prefix === null ? [] : [prefixWord(mark, prefix, wordsFrom)])].join(' AND ');
  const [titles, anywhere] = [all(TITLE), all(ANYWHERE)];
  return (types) => {
    // The types stand inside the AND, whose parts FTS5 reads together: it ends when one of them ends. Beside the NOT, it would look for other entries first.
    const only = types.length === SEARCH_TYPES.length ? '' : ` AND ${anyOf(types.map((type) => quoted(TYPE_WORDS[type])))}`;
    return [`${titles}${only}`, `(${anywhere}${only}) NOT (${titles})`];
  };
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
