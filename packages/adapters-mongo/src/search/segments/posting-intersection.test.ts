import fc from 'fast-check';
import { postingOf } from './posting.js';
import { PostingIntersection } from './posting-intersection.js';

const ROWS = 12;
const places = fc.uniqueArray(fc.integer({ min: 0, max: ROWS - 1 }), { maxLength: ROWS }).map((rows) => rows.sort((a, b) => a - b));
/** For each word the rows of its terms. */
const words = fc.array(fc.array(places, { maxLength: 3 }), { minLength: 1, maxLength: 3 });

describe('PostingIntersection', () => {
  it('finds the document ids that contain every word, call after call', () => {
    const intersection = new PostingIntersection();
    fc.assert(
      fc.property(words, (query) => {
        const posted = (rows: readonly number[]) => Uint32Array.from(rows, (row) => postingOf(row, 65_535 - row));
        const found = intersection.match(query.map((word) => word.map(posted)));
        const rows = Array.from({ length: ROWS }, (_, row) => row);
        expect([...found]).toEqual(rows.filter((row) => query.every((word) => word.some((term) => term.includes(row)))));
      }),
    );
  });

  it('returns sorted document ids if the postings of one block are those of several terms', () => {
    const postings = [3, 7, 1, 5, 7].map((row) => postingOf(row, 0));
    expect([...new PostingIntersection().match([[Uint32Array.from(postings)]])]).toEqual([1, 3, 5, 7]);
  });
});
