import { isShaAbbreviation, type SearchWords } from '@vitrine/core';
import { Postings } from '../slots/postings.js';
import type { SearchIndex } from './search-index.js';
import { firstCharacters, HEAD_LENGTH, type Occurrences } from './vocabulary.js';

/** If more words than this share a longer prefix, the list of its first three characters is read instead, and each slot is tested. */
const MAX_EXPANSION = 200;
const HEX = /^[0-9a-f]{1,64}$/;

/** One word of a query, with its lists in the index. */
export interface SearchTerm {
  /** Lists that together contain every matching slot, and maybe others. */
  sources(titleOnly: boolean): readonly Postings[];
  /** 0 if the slot does not match, 1 if it does, 2 if its title does. */
  test(slot: number): 0 | 1 | 2;
}

export function searchTerms(index: SearchIndex, words: SearchWords): SearchTerm[] {
  const whole = words.whole.map((word) => wholeTerm(index, word));
  return words.prefix === null ? whole : [...whole, prefixTerm(index, words.prefix)];
}

function wholeTerm(index: SearchIndex, text: string): SearchTerm {
  const word = index.vocabulary.findWord(text);
  const shas = isShaAbbreviation(text) ? [shaPostings(index, text)] : [];
  return {
    sources: (titleOnly) => [...(word === null ? [] : [listOf(word.occurrences, titleOnly)]), ...shas],
    test: (slot) => {
      if (shas.length > 0 && shaStartsWith(index, slot, text)) return 2;
      return word === null ? 0 : index.wordLists.find(slot, (id) => id === word.id);
    },
  };
}

function prefixTerm(index: SearchIndex, prefix: string): SearchTerm {
  const occurrences = expansion(index, prefix);
  const shas = HEX.test(prefix) && prefix.length > HEAD_LENGTH ? [shaPostings(index, prefix)] : [];
  return {
    sources: (titleOnly) => [...occurrences.map((found) => listOf(found, titleOnly)), ...shas],
    test: (slot) =>
      shaStartsWith(index, slot, prefix) ? 2 : index.wordLists.find(slot, (id) => index.vocabulary.wordOf(id)?.text.startsWith(prefix) === true),
  };
}

/** The occurrences of all words with a prefix of two or more characters. */
function expansion(index: SearchIndex, prefix: string): Occurrences[] {
  const headText = firstCharacters(prefix, HEAD_LENGTH) ?? prefix;
  const head = index.vocabulary.findHead(headText);
  if (head === null || headText === prefix) return head === null ? [] : [head.occurrences];
  const words = head.words.filter((word) => word.text.startsWith(prefix));
  return words.length > MAX_EXPANSION ? [head.occurrences] : words.map((word) => word.occurrences);
}

function listOf(occurrences: Occurrences, titleOnly: boolean): Postings {
  return titleOnly ? occurrences.title : occurrences.all;
}

function shaPostings(index: SearchIndex, prefix: string): Postings {
  const postings = new Postings(index.table);
  for (const slot of index.shas.startingWith(prefix)) if (index.has(slot)) postings.add(slot);
  return postings;
}

function shaStartsWith(index: SearchIndex, slot: number, prefix: string): boolean {
  return index.shas.commit(slot)?.sha.startsWith(prefix) === true;
}
