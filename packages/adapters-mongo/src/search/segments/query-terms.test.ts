import fc from 'fast-check';
import { blockRangeOf, oneTerm, queryTerms, rangeOf, termsFrom, type QueryTerm } from './query-terms.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1d4b3}'), minLength: 1, maxLength: 3 });
const terms = fc.uniqueArray(word, { maxLength: 40 }).map((words) => words.sort());
const term = fc.tuple(word, fc.constantFrom(oneTerm, termsFrom)).map(([text, termOf]) => termOf(text));
const isMeant =
  ({ text, end }: QueryTerm) =>
  (one: string) =>
    end === null ? one === text : one.startsWith(text);

describe('queryTerms', () => {
  it('matches whole words and a prefix in title fields and in others, and the prefix of a sha if the word can be one', () => {
    expect(queryTerms({ whole: ['fix', 'beef', 'deadbeef0123456'], prefix: 'ca' })).toEqual([
      { title: [oneTerm('!fix')], other: oneTerm('fix') },
      { title: [oneTerm('!beef')], other: oneTerm('beef') },
      { title: [oneTerm('!deadbeef0123456'), termsFrom('!#deadbeef0123')], other: oneTerm('deadbeef0123456') },
      { title: [termsFrom('!ca'), termsFrom('!#ca')], other: termsFrom('ca') },
    ]);
    expect(queryTerms({ whole: ['fix'], prefix: null })).toHaveLength(1);
  });
});

describe('rangeOf', () => {
  it('contains exactly the matching terms', () => {
    fc.assert(
      fc.property(terms, term, (sorted, wanted) => {
        expect(sorted.slice(...rangeOf(wanted, sorted))).toEqual(sorted.filter(isMeant(wanted)));
      }),
    );
  });
});

describe('blockRangeOf', () => {
  it('contains every block with a matching term, and at most one more', () => {
    fc.assert(
      fc.property(terms, term, fc.integer({ min: 1, max: 6 }), (sorted, wanted, size) => {
        const blocks = Array.from({ length: Math.ceil(sorted.length / size) }, (_, index) => sorted.slice(index * size, (index + 1) * size));
        const range = blockRangeOf(
          wanted,
          blocks.map(([first = '']) => first),
        );
        const found = blocks.slice(...range);
        const right = blocks.filter((block) => block.some(isMeant(wanted)));
        expect(found).toEqual(expect.arrayContaining(right));
        expect(found.length).toBeLessThanOrEqual(right.length + 1);
      }),
    );
  });
});
