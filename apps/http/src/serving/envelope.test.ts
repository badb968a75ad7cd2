import { NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { envelopeText, finishedAnswer, withParts, type AnswerForm, type Question } from './envelope.js';

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

describe('the repositories that caches are told of', () => {
  const form = {
    route: { cache: 'record', holdsRepositories: true },
    write: () => ({ text: '', type: '', link: '' }),
  } as unknown as AnswerForm;
  const keysOf = (shows: unknown): number => {
    const outcome = { data: null, dataStatus: 'fresh', nextCursor: null, generatedAt: null, warnings: [], shows } as const;
    const { validators } = finishedAnswer(form, outcome, {} as Question, 'Cache-Tag');
    return validators.includes('Cache-Tag') ? (validators[validators.indexOf('Cache-Tag') + 1] ?? '').split(',').length : 0;
  };

  it.each<readonly [string, unknown, number]>([
    ['a record with its repository', [{ record: { id: 'a' }, repository: { fullName: 'acme/a' } }], 1],
    ['the same repository in other letters', [{ fullName: 'acme/a' }, { repository: 'ACME/A' }], 1],
    ['a source, which has the name alone', { items: [{ repository: 'acme/a' }, { repository: null }] }, 1],
    ['values of a map', new Map([['x', [{ repository: { fullName: 'acme/a', parts: [{ fullName: 'acme/b' }] } }]]]), 2],
    ['nothing of a repository', [null, 1, 'acme/a', { repository: null }, { title: 'acme/a' }], 0],
  ])('are found in %s', (_what, shows, count) => {
    expect(keysOf(shows)).toBe(count);
  });
});
