import fc from 'fast-check';
import { anyText } from '../../../../test/any-text.js';
import { percentDecoded } from './decoded-text.js';

describe('percentDecoded', () => {
  it.each([
    ['%40', '@'],
    ['%25', '%'],
    ['%2540', '@'],
    ['%C3%BC', 'ü'],
    ['%ef%bc%a0', '＠'],
    ['%25EF%2525BC%A0', '＠'],
    ['%F0%9F%9A%80', '🚀'],
  ])('decodes %s', (sequence, character) => {
    expect(percentDecoded(sequence)).toBe(character);
  });

  it.each(['%C0%80', '%C1%80', '%E0%80%80', '%ED%A0%80', '%F4%90%80%80', '%F5%80%80%80', '%C3%BC%80', '%E2%82'])(
    'leaves %s, which is not UTF-8',
    (sequence) => {
      expect(percentDecoded(sequence)).toBe(sequence);
    },
  );

  it('decodes what encodeURIComponent encodes', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 1 }), (character) => {
        const encoded = encodeURIComponent(character);
        if (encoded.startsWith('%')) expect(percentDecoded(encoded)).toBe(character);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 20 },
    );
  });
});
