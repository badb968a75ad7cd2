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
        const raw = readRawQuery(query, ['a', 'b', 'c']);
        expect(raw.violations).toEqual([]);
        expect([...raw.values].map(([name, { value: read }]) => [name, read])).toEqual([...new URLSearchParams(query)]);
      }),
    );
  });

  it('never throws, and either takes a parameter or says why not', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a=&%+0Cé[]$.') }), (query) => {
        const { values, violations } = readRawQuery(query, ['a']);
        expect(values.size + violations.length).toBe(query.split('&').filter((pair) => pair !== '').length);
      }),
    );
  });

  it('stops listing violations after 100', () => {
    expect(readRawQuery('x&'.repeat(500), ['a']).violations).toHaveLength(100);
  });

  it('reads a name of the object prototype as any other', () => {
    expect(readRawQuery('__proto__=1&constructor=2', ['a']).violations.map(({ violation }) => violation.code)).toEqual([
      'UNKNOWN_PARAMETER',
      'UNKNOWN_PARAMETER',
    ]);
  });
});
