import { NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { envelopeText, withParts } from './envelope.js';

describe('the text of an envelope', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(',"meta":', '"data":null,"meta":{"apiVersion":"v1"}', String.raw`\",\"meta\":`));
  const parts = fc.record({
    dataStatus: fc.constantFrom('fresh', 'stale', 'partial'),
    nextCursor: fc.option(fc.base64String()),
    generatedAt: fc.option(fc.constant(NOW)),
    warnings: fc.array(fc.record({ code: fc.constant('SOURCE_UNAVAILABLE'), source: text, detail: text }), { maxLength: 2 }),
  });

  it('gets other parts while its data stay as they are', () => {
    const data = fc.oneof(fc.jsonValue(), fc.dictionary(text, fc.oneof(text, fc.record({ meta: text, data: text }))), fc.array(fc.double()));
    fc.assert(
      fc.property(data, parts, parts, (own, before, after) => {
        expect(withParts(envelopeText({ ...before, data: own }), after)).toBe(envelopeText({ ...after, data: own }));
      }),
    );
  });
});
