import {
  searchTypeOf,
  type RecordWords,
  type SearchableRecord,
  type SearchType,
  LATEST_INSTANT,
  type Instant,
  type SearchPosition,
} from '@vitrine/core';

/** How many digits of a sha are a word. A longer beginning is compared with the record. */
export const SHA_DIGITS = 8;

/** The prefix of each word is its type: a word of a title field, a word of any field, or the beginning of a sha. Words of a title have both. */
export const TITLE = 't';
export const ANYWHERE = 'a';
export const SHA = 'h';

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

export function typeWord(type: SearchType): string {
  return TYPE_WORDS[type];
}

/**
 * The words of an entry, separated by spaces. The words of the core consist of letters, marks and digits, and are in lower case, so the tokenizer `ascii` neither splits nor
 * changes them.
 *
 * @param repositoryName the name of the record's repository, whose words count too; `null` if there is none
 */
export function entryWordsOf(words: RecordWords, record: SearchableRecord, repositoryName: string | null): string {
  const found = new Set([typeWord(searchTypeOf(record))]);
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

/** The position of a hit without its tier. */
export type EntryPosition = Omit<SearchPosition, 'tier'>;

/** The second of a time, counted backwards from the latest time. */
export function backwardSecond(time: Instant): number {
  return time > LATEST_INSTANT ? TIMELESS_SECOND : LAST_SECOND - Math.floor(time / 1_000) + 1;
}

/** The first place of a second. Places are 64-bit integers, which numbers cannot hold. */
export function firstPlace(second: number): bigint {
  return BigInt(second) << BigInt(SERIAL_BITS);
}
