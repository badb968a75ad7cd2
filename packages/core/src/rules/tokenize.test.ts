import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyText } from '../../../../test/any-text.js';
import { type SearchWords, entryWords, isShaAbbreviation, mayHoldWord, normalizeQuery, queryWords, searchWordsOf } from './search-words.js';

const torture = process.env['VITRINE_TORTURE'] === '1';

interface Vectors {
  readonly words: readonly { text: string; query: string[]; entry: string[] }[];
  readonly queries: readonly { q: string; words: SearchWords | null }[];
  readonly normalized: readonly { text: string; q: string | null }[];
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/tokens.json'), 'utf8')) as Vectors;

const text = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'aBcÉéߣςİıﬁ①７日本語字カガﾞไทยកខ ລາວ한글\u0301\u0591\u0592\u3099-_./😀𠮷'), maxLength: 20 }),
);

describe('queryWords', () => {
  it('splits texts as the vectors say', () => {
    expect(vectors.words.map((vector) => ({ ...vector, query: queryWords(vector.text) }))).toEqual(vectors.words);
  });

  it('gives words that are their own only word', () => {
    fc.assert(
      fc.property(text, (any) => {
        for (const word of queryWords(any)) expect(queryWords(word)).toEqual([word]);
      }),
      { numRuns: torture ? 200_000 : 20 },
    );
  });

  it('does not mind how text is composed', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(queryWords(any.normalize('NFD'))).toEqual(queryWords(any.normalize('NFC')));
      }),
    );
  });

  it('does not mind how ASCII words are separated', () => {
    expect(queryWords('a.b/c\\d"e\'f\0g')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});

describe('entryWords', () => {
  it('stores texts as the vectors say', () => {
    expect(vectors.words.map(({ text: of }) => [of, entryWords(of).sort()])).toEqual(
      vectors.words.map(({ text: of, entry }) => [of, [...entry].sort()]),
    );
  });

  it('holds every word of the text as a query, so that a text finds itself', () => {
    fc.assert(
      fc.property(text, (any) => {
        const stored = entryWords(any);
        for (const word of queryWords(any)) expect(stored).toContain(word);
      }),
      { numRuns: torture ? 200_000 : 20 },
    );
  });

  it('stores no word that its own query would not find', () => {
    fc.assert(
      fc.property(text, (any) => {
        for (const word of entryWords(any)) expect(queryWords(word)).toEqual([word]);
      }),
      { numRuns: torture ? 200_000 : 20 },
    );
  });

  it('stores each word once', () => {
    expect(entryWords('fix Fix FIX fixFix')).toEqual(['fix', 'fixfix']);
  });
});

describe('searchWordsOf', () => {
  it('reads queries as the vectors say', () => {
    expect(vectors.queries.map((vector) => ({ ...vector, words: searchWordsOf(vector.q) }))).toEqual(vectors.queries);
  });
});

describe('normalizeQuery', () => {
  it('gives what the vectors say', () => {
    expect(vectors.normalized.map((vector) => ({ ...vector, q: normalizeQuery(vector.text) }))).toEqual(vectors.normalized);
  });

  it('does not change what it gave', () => {
    fc.assert(
      fc.property(text, (any) => {
        const query = normalizeQuery(any);
        if (query !== null) expect(normalizeQuery(query)).toBe(query);
      }),
    );
  });
});

describe('isShaAbbreviation', () => {
  it.each([
    ['9f1c2d3', true],
    ['9f1c2d', false],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['keyset7', false],
    ['9F1C2D3', false],
  ])('of %s is %p', (word, isOne) => {
    expect(isShaAbbreviation(word)).toBe(isOne);
  });
});

describe('mayHoldWord', () => {
  it('never denies the beginning of a word under which the text is found', () => {
    fc.assert(
      fc.property(text, fc.nat(4), (any, cut) => {
        for (const word of entryWords(any)) expect(mayHoldWord(any, ['?', word.slice(0, word.length - cut)])).toBe(true);
      }),
    );
  });

  it('denies what an ASCII text does not hold', () => {
    expect(mayHoldWord('Fix the HTTPServer2', ['fiy', 'serves'])).toBe(false);
  });
});
