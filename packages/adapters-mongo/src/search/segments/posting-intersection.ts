import { docIdOf, MAX_ENTRIES } from './posting.js';

/** The posting lists of one word: those of all terms that match it. */
export type WordPostings = readonly Uint32Array[];

/** Intersects posting lists: finds the entries of a segment that contain every word of a query. */
export class PostingIntersection {
  /** For each document id, how many of the words it contains, among those that were checked. */
  readonly #held = new Uint8Array(MAX_ENTRIES);
  /** Reused memory for the document ids of one word. */
  readonly #docIds = new Uint16Array(MAX_ENTRIES);

  /**
   * @param words fewer than 255 words
   * @returns the document ids, in order
   */
  match(words: readonly WordPostings[]): Uint16Array {
    const [rarest = [], ...others] = [...words].sort((a, b) => sizeOf(a) - sizeOf(b));
    const docIds = this.#docIdsOf(rarest);
    const matched = others.reduce((left, word, index) => (left.length > 0 ? this.#holding(left, word, index + 1) : left), docIds);
    for (const docId of docIds) this.#held[docId] = 0;
    return matched;
  }

  #docIdsOf(word: WordPostings): Uint16Array {
    let count = 0;
    let isSorted = true;
    for (const postings of word)
      for (const posting of postings) {
        const docId = docIdOf(posting);
        if (this.#held[docId] === 1) continue;
        // If the word is a prefix, a block has the posting lists of several terms one after the other, so they may not be sorted.
        isSorted &&= count === 0 || (this.#docIds[count - 1] ?? 0) < docId;
        this.#held[docId] = 1;
        this.#docIds[count++] = docId;
      }
    const docIds = this.#docIds.slice(0, count);
    return isSorted ? docIds : docIds.sort();
  }

  /** Those of the given entries that also contain this word. @param count the number of words that they contain already */
  #holding(docIds: Uint16Array, word: WordPostings, count: number): Uint16Array {
    for (const postings of word)
      for (const posting of postings) {
        const docId = docIdOf(posting);
        if (this.#held[docId] === count) this.#held[docId] = count + 1;
      }
    return docIds.filter((docId) => this.#held[docId] === count + 1);
  }
}

function sizeOf(word: WordPostings): number {
  return word.reduce((sum, postings) => sum + postings.length, 0);
}
