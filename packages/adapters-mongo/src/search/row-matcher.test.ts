import fc from 'fast-check';
import { postingOf } from './posting.js';
import { RowMatcher } from './row-matcher.js';

const ROWS = 12;
const TAGS = [3, 7, 65_535];
const places = fc.uniqueArray(fc.integer({ min: 0, max: ROWS - 1 }), { maxLength: ROWS }).map((rows) => rows.sort((a, b) => a - b));
/** For each word the rows of its terms. */
const words = fc.array(fc.array(places, { maxLength: 3 }), { minLength: 1, maxLength: 3 });

describe('RowMatcher', () => {
  it('finds the rows of approved tags that hold every word, call after call', () => {
    const tagOfRow = (row: number) => TAGS[row % TAGS.length] ?? 0;
    const tags = new Uint8Array(65_536);
    for (const tag of TAGS.slice(1)) tags[tag] = 1;
    const matcher = new RowMatcher();
    fc.assert(
      fc.property(words, (query) => {
        const posted = (rows: readonly number[]) => rows.map((row) => postingOf(row, tagOfRow(row)));
        const found = matcher.match(
          query.map((word) => word.map(posted)),
          tags,
        );
        const rows = Array.from({ length: ROWS }, (_, row) => row).filter((row) => tagOfRow(row) !== TAGS[0]);
        expect([...found]).toEqual(rows.filter((row) => query.every((word) => word.some((term) => term.includes(row)))));
      }),
    );
  });
});
