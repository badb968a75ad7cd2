import fc from 'fast-check';
import { readRawQuery } from './parse-query.js';

describe('the raw reading of a query', () => {
  it('agrees with URLSearchParams on everything that it takes', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text) && !/\p{Surrogate}/u.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), value, fc.boolean(), (names, text, plus) => {
        const query = names.map((name) => `${name}=${plus ? encodeURIComponent(text).replaceAll('%20', '+') : encodeURIComponent(text)}`).join('&');
        expect(readRawQuery(query, ['a', 'b', 'c'])).toEqual([...new URLSearchParams(query)].map(([parameter, own]) => ({ parameter, value: own })));
      }),
    );
  });

  it('never throws, and either takes a parameter or says why not', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a=&%+0Cé[]$.') }), (query) => {
        expect(readRawQuery(query, ['a'])).toHaveLength(query.split('&').filter((pair) => pair !== '').length);
      }),
    );
  });

  it('stops listing violations after 100', () => {
    expect(readRawQuery('x&'.repeat(500), ['a'])).toHaveLength(100);
  });

  it('reads a name of the object prototype as any other', () => {
    expect(readRawQuery('__proto__=1&constructor=2', ['a'])).toMatchObject([{ code: 'UNKNOWN_PARAMETER' }, { code: 'UNKNOWN_PARAMETER' }]);
  });
});
