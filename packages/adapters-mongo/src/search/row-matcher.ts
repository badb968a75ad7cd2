import { MAX_ROWS, rowOf } from './posting.js';
import type { Postings } from './segment.js';

/** Finds the rows of a segment that hold every word of a query. */
export class RowMatcher {
  /** For each row how many of the words it holds, as far as they were looked at. */
  readonly #held = new Uint8Array(MAX_ROWS);
  /** Room for the rows of one word. */
  readonly #rows = new Uint16Array(MAX_ROWS);

  /**
   * @param words for each word, of which there are fewer than 255, the postings of its terms
   * @returns rows in their order
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
        // The postings of one block are those of several terms, one term after the other, if the word is a prefix.
        isSorted &&= count === 0 || (this.#rows[count - 1] ?? 0) < row;
        this.#held[row] = 1;
        this.#rows[count++] = row;
      }
    const rows = this.#rows.slice(0, count);
    return isSorted ? rows : rows.sort();
  }

  /** Those of some rows that hold this word too. @param count of the words that they hold */
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
