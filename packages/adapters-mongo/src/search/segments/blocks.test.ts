import fc from 'fast-check';
import { postingOf, tagIn } from './posting.js';
import { postedBy, postingsOf, type TermBlock } from './blocks.js';

const TAGS = [3, 7, 65_535];
const posting = fc.tuple(fc.nat(20), fc.constantFrom(...TAGS)).map(([row, tag]) => postingOf(row, tag));
const block = fc.array(fc.array(posting, { maxLength: 5 }), { maxLength: 5 }).map((terms): TermBlock => {
  const ends = terms.map((_, index) => terms.slice(0, index + 1).flat().length);
  return { terms: terms.map((_, index) => `t${String(index)}`), ends: Uint32Array.from(ends), postings: Uint32Array.from(terms.flat()) };
});
const plain = (any: TermBlock) => any.terms.map((term, index) => [term, [...postingsOf(any, [index, index + 1])]] as const);

describe('postedBy', () => {
  it('keeps the postings of the given tags, and the terms that have any', () => {
    fc.assert(
      fc.property(block, fc.subarray(TAGS), (any, kept) => {
        const tags = new Uint8Array(65_536);
        for (const tag of kept) tags[tag] = 1;
        const expected = plain(any).map(([term, postings]) => [term, postings.filter((one) => kept.includes(tagIn(one)))] as const);
        expect(plain(postedBy(tags, any))).toEqual(expected.filter(([, postings]) => postings.length > 0));
      }),
    );
  });
});
