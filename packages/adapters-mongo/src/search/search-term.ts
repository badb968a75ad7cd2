import { isShaAbbreviation } from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/document-spec.js';
import { hasAllInTail, headOf, shaKeys, tailKey, wordKey, type KeyMark } from './entry-keys.js';
import type { KnownWord, PrefixWords } from './word-lookup.js';

type EntryFilter = Filter<StoredDocument>;

/** One word of a query, as the index answers it. */
export interface SearchTerm {
  /** Keys whose union holds every entry that has the word under one of the marks, and perhaps others. */
  scans(marks: readonly KeyMark[]): readonly string[];
  /** Whether an entry has the word under one of the marks. */
  condition(marks: readonly KeyMark[]): EntryFilter;
  /** Whether the scans hold nothing but what meets the condition. */
  readonly isExact: boolean;
  /** Whether the scans hold entries that are not counted, but seldom few. */
  readonly hasTail: boolean;
  /** About how many entries the scans hold, without those. */
  size(marks: readonly KeyMark[]): number;
}

/** Greater than every text that begins with what stands before it. */
const END = '\u{10ffff}';
const HEX = /^[0-9a-f]{2,64}$/;
/** A share of all commits so small that it hardly counts. */
const COMMITS_OF_A_SHA_KEY = 200;

/** A word that has to stand in the entry as it is. One that may begin a sha also finds that commit, as its title. */
export function wholeTerm(word: string, known: KnownWord | null): SearchTerm {
  const mayBeSha = isShaAbbreviation(word);
  const sha = (marks: readonly KeyMark[]) => mayBeSha && marks.includes('C');
  return {
    scans: (marks) => [...marks.map((mark) => wordKey(mark, word)), ...(sha(marks) ? shaKeys(word) : [])],
    condition: (marks) => anyOf([{ keys: { $in: marks.map((mark) => wordKey(mark, word)) } }, ...(sha(marks) ? [shaFrom(word)] : [])]),
    isExact: !mayBeSha,
    hasTail: false,
    size: (marks) => countUnder(marks, known) + (sha(marks) ? COMMITS_OF_A_SHA_KEY : 0),
  };
}

/** A word that may go on. */
export function prefixTerm(prefix: string, { words, hasTail }: PrefixWords): SearchTerm {
  const head = headOf(prefix) ?? prefix;
  const mayBeSha = HEX.test(prefix);
  const sha = (marks: readonly KeyMark[]) => mayBeSha && marks.includes('C');
  return {
    scans: (marks) => [
      ...marks.flatMap((mark) => (hasTail && hasAllInTail(mark) ? [] : words.map(({ word }) => wordKey(mark, word)))),
      ...(hasTail ? marks.map((mark) => tailKey(mark, head)) : []),
      ...(sha(marks) ? shaKeys(prefix) : []),
    ],
    condition: (marks) => anyOf([...marks.map((mark) => keyFrom(wordKey(mark, prefix))), ...(sha(marks) ? [shaFrom(prefix)] : [])]),
    hasTail,
    isExact: (!hasTail || prefix === head) && !(mayBeSha && prefix.length > 3),
    size: (marks) => words.reduce((sum, word) => sum + countUnder(marks, word), 0),
  };
}

function keyFrom(start: string): EntryFilter {
  return { keys: { $elemMatch: { $gte: start, $lt: start + END } } };
}

function shaFrom(start: string): EntryFilter {
  return { sha: { $gte: start, $lt: start + END } };
}

function anyOf(filters: readonly EntryFilter[]): EntryFilter {
  const [only, ...others] = filters;
  return only !== undefined && others.length === 0 ? only : { $or: [...filters] };
}

function countUnder(marks: readonly KeyMark[], known: KnownWord | null): number {
  if (known === null) return 0;
  const has = (mark: KeyMark) => marks.includes(mark);
  return (has('C') || has('R') ? known.title : 0) + (has('c') || has('r') ? known.other : 0);
}
