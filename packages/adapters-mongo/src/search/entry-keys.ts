import type { SearchType } from '@vitrine/core';

/**
 * What stands before a word in an entry's key: which part of the store the entry belongs to, and where the record holds the word. Commits are
 * apart, because there are so many that a search for anything else would pass them for long.
 */
export type KeyMark = 'C' | 'c' | 'R' | 'r';

interface Marks {
  readonly title: KeyMark;
  readonly other: KeyMark;
}

const COMMIT_MARKS: Marks = { title: 'C', other: 'c' };
const REST_MARKS: Marks = { title: 'R', other: 'r' };

export function marksOf(type: SearchType): Marks {
  return type === 'commit' ? COMMIT_MARKS : REST_MARKS;
}

/** The marks under which records of some types are found. */
export function marksFor(types: readonly SearchType[], fields: readonly (keyof Marks)[]): readonly KeyMark[] {
  const parts = [...new Set(types.map(marksOf))];
  return parts.flatMap((marks) => fields.map((field) => marks[field]));
}

/** Whether all words of entries with a mark stand under the common keys of their heads, and not only the tails: what is not a commit is seldom. */
export function hasAllInTail(mark: KeyMark): boolean {
  return mark === REST_MARKS.title || mark === REST_MARKS.other;
}

const HEAD_LENGTH = 2;
const SHA_HEAD_LENGTH = 3;
const HEX_DIGITS = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/** The first two characters of a word; `null` when it has fewer. */
export function headOf(word: string): string | null {
  const units = word.slice(0, HEAD_LENGTH);
  if (!/[\ud800-\udfff]/.test(units)) return units.length < HEAD_LENGTH ? null : units;
  const characters = [...word.slice(0, 2 * HEAD_LENGTH)].slice(0, HEAD_LENGTH);
  return characters.length < HEAD_LENGTH ? null : characters.join('');
}

export function wordKey(mark: KeyMark, word: string): string {
  return mark + word;
}

/** The key of all words with a head that are not looked for one by one. No word holds `*` or `#`. */
export function tailKey(mark: KeyMark, head: string): string {
  return `${mark}${head}*`;
}

/** The key of all commits whose sha begins alike. The sha itself is no key: nearly every one would be a word of its own. */
export function shaKey(sha: string): string {
  return `${COMMIT_MARKS.title}${sha.slice(0, SHA_HEAD_LENGTH)}#`;
}

/** The keys under which every commit stands whose sha begins with two or more digits. */
export function shaKeys(prefix: string): readonly string[] {
  return prefix.length >= SHA_HEAD_LENGTH ? [shaKey(prefix)] : HEX_DIGITS.map((digit) => shaKey(prefix + digit));
}

/** The entries of each key in their order. Whose they are stands last, so that hidden ones are passed without being fetched. */
export const ENTRY_INDEX = { keys: 1, time: -1, place: 1, repositoryRef: 1 } as const;
