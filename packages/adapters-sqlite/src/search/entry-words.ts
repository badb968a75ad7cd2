import { searchTypeOf, type RecordWords, type SearchableRecord, type SearchType } from '@vitrine/core';

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
