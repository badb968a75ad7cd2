import fc from 'fast-check';
import { blockRangeOf, queryTerms, rangeOf } from './query-terms.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1d4b3}'), minLength: 1, maxLength: 3 });
const terms = fc.uniqueArray(word, { maxLength: 40 }).map((words) => words.sort());
const term = fc.record({ text: word, isPrefix: fc.boolean() });
const isMeant =
  ({ text, isPrefix }: { text: string; isPrefix: boolean }) =>
  (one: string) =>
    isPrefix ? one.startsWith(text) : one === text;

describe('queryTerms', () => {
  const titles = [
    [{ text: '!fix', isPrefix: false }],
    [
      { text: '!deadbeef0123456', isPrefix: false },
      { text: '!#deadbeef0123', isPrefix: true },
    ],
    [
      { text: '!ca', isPrefix: true },
      { text: '!#ca', isPrefix: true },
    ],
  ];

  it('looks for whole words and a prefix in title fields, and for the beginning of a sha where it may be one', () => {
    expect(queryTerms({ whole: ['fix', 'deadbeef0123456'], prefix: 'ca' })[0]).toEqual(titles);
    expect(queryTerms({ whole: ['beef'], prefix: null })[0]).toEqual([[{ text: '!beef', isPrefix: false }]]);
  });

  it('looks in all fields for hits of the other tier', () => {
    const [fix, sha, ca] = queryTerms({ whole: ['fix', 'deadbeef0123456'], prefix: 'ca' })[1];
    expect(fix).toEqual(expect.arrayContaining([...(titles[0] ?? []), { text: 'fix', isPrefix: false }]));
    expect(sha).toEqual(expect.arrayContaining([...(titles[1] ?? []), { text: 'deadbeef0123456', isPrefix: false }]));
    expect(ca).toEqual(expect.arrayContaining([...(titles[2] ?? []), { text: 'ca', isPrefix: true }]));
  });
});

describe('rangeOf', () => {
  it('is just the terms that are meant', () => {
    fc.assert(
      fc.property(terms, term, (sorted, wanted) => {
        expect(sorted.slice(...rangeOf(wanted, sorted))).toEqual(sorted.filter(isMeant(wanted)));
      }),
    );
  });
});

describe('blockRangeOf', () => {
  it('holds every block with a term that is meant, and at most one more', () => {
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
