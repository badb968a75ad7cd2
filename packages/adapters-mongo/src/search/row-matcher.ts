import { MAX_ROWS, rowOf } from './posting.js';
import type { Postings } from './segment.js';

/** Finds the rows of a segment that contain every word of a query. */
export class RowMatcher {
  /** For each row, how many of the words it contains, among those that were checked. */
  readonly #held = new Uint8Array(MAX_ROWS);
  /** Reused memory for the rows of one word. */
  readonly #rows = new Uint16Array(MAX_ROWS);

  /**
   * @param words for each word the postings of its terms; fewer than 255 words
   * @returns the rows, in order
   */
  match(words: readonly (readonly Postings[])[]): Uint16Array {
    const [rarest = [], ...others] = [...words].sort((a, b) => sizeOf(a) - sizeOf(b));
    const rows = this.#rowsOf(rarest);
    const matched = others.reduce((left, word, index) => (left.length > 0 ? this.#holding(left, word, index + 1) : left), rows);
    for (const row of rows) this.#held[row] = 0;
    return matched;
  }

  #rowsOf(word: readonly Postings[]): Uint16Array {
    let count = 0;
    let isSorted = true;
    for (const postings of word)
      for (const posting of postings) {
        const row = rowOf(posting);
        if (this.#held[row] === 1) continue;
        // If the word is a prefix, a block has the postings of several terms one after the other, so they may not be sorted.
        isSorted &&= count === 0 || (this.#rows[count - 1] ?? 0) < row;
        this.#held[row] = 1;
        this.#rows[count++] = row;
      }
    const rows = this.#rows.slice(0, count);
    return isSorted ? rows : rows.sort();
  }

  /** The given rows that also contain this word. @param count the number of words that they contain already */
  #holding(rows: Uint16Array, word: readonly Postings[], count: number): Uint16Array {
    for (const postings of word)
      for (const posting of postings) {
        const row = rowOf(posting);
        if (this.#held[row] === count) this.#held[row] = count + 1;
      }
    return rows.filter((row) => this.#held[row] === count + 1);
  }
}

function sizeOf(word: readonly Postings[]): number {
  return word.reduce((sum, postings) => sum + postings.length, 0);
}
