import fc from 'fast-check';
import { entityTagOf, matchesTag } from './finished-answer.js';

/** JSON values without objects that hold a time of a run: those are added by the tests. Strings and keys may look like such a field. */
const tricky = fc.constantFrom(
  'generatedAt',
  'observedAt',
  'lastSyncedAt',
  '"generatedAt":"a"',
  '\\"observedAt":"',
  ':"',
  '","lastSyncedAt":"b',
  '"',
);
const text = fc.oneof(tricky, fc.string());
const name = fc.constantFrom('id', 'title', 'provenance', 'repository', 'observedAtAll', 'notGeneratedAt', 'at');
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const instant = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }).map((date) => date.toISOString());

type Times = Readonly<Record<'generatedAt' | 'observedAt' | 'lastSyncedAt', string>>;
const times = fc.record<Times>({ generatedAt: instant, observedAt: instant, lastSyncedAt: instant });

/** Values before, between and after the times of an answer. */
const values = fc.tuple(json, json, json);
type Values = readonly [unknown, unknown, unknown];

function withOne([before, between, after]: Values, place: number, value: unknown): Values {
  return [place === 0 ? value : before, place === 1 ? value : between, place === 2 ? value : after];
}

/** An answer of one record beside its repository. */
function answer([before, between, after]: Values, { generatedAt, observedAt, lastSyncedAt }: Times): string {
  const provenance = { observedAt, source: between };
  return JSON.stringify({
    data: { before, repository: { fullName: 'acme/widget', lastSyncedAt, provenance }, provenance, after },
    meta: { apiVersion: 'v1', generatedAt },
  });
}

describe('an entity tag', () => {
  it('is weak, with 22 characters between the quotation marks', () => {
    expect(entityTagOf('{}', false)).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
  });

  it('stays the same when only generatedAt, observedAt and the lastSyncedAt of nested repositories change', () => {
    fc.assert(
      fc.property(values, times, times, (data, one, other) => {
        expect(entityTagOf(answer(data, one), false)).toBe(entityTagOf(answer(data, other), false));
      }),
    );
  });

  it('changes with everything else, also with text that looks like one of these fields', () => {
    fc.assert(
      fc.property(values, json, fc.nat(2), times, fc.boolean(), (one, changed, place, at, isOfRepositories) => {
        const [first, second] = [answer(one, at), answer(withOne(one, place, changed), at)];
        expect(entityTagOf(first, isOfRepositories) === entityTagOf(second, isOfRepositories)).toBe(first === second);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 300 : 20 },
    );
    const titled = (title: string): string => JSON.stringify({ data: { title, observedAt: '2026-01-01T00:00:00.000Z' } });
    expect(entityTagOf(titled('"observedAt":"a"'), false)).not.toBe(entityTagOf(titled('"observedAt":"b"'), false));
  });

  it('changes with the lastSyncedAt of repositories when they are the records themselves, but not with the other two', () => {
    fc.assert(
      fc.property(values, times, times, (data, one, other) => {
        const [first, second] = [one, other].map((at) => entityTagOf(answer(data, at), true));
        expect(first === second).toBe(one.lastSyncedAt === other.lastSyncedAt);
      }),
    );
  });
});

describe('If-None-Match', () => {
  const TAG = 'W/"abc_-9"';

  it.each([
    'W/"abc_-9"',
    '"abc_-9"',
    '*',
    '"other", W/"abc_-9"',
    'W/"abc_-9", "other"',
    '"other","abc_-9"',
    '"other" , W/"abc_-9" ,"third"',
    '"one, two", W/"abc_-9"',
    '"a b", "abc_-9"',
    '"", "abc_-9"',
    ', "abc_-9",',
    '"other",\tW/"abc_-9"',
    '"other"\t,\t"abc_-9"\t',
  ])('names the tag in %p', (header) => {
    expect(matchesTag(header, TAG)).toBe(true);
  });

  it.each([
    '',
    ' ',
    ',',
    '"other"',
    'W/"other", "third"',
    '"ABC_-9"',
    '"abc_-9 "',
    '" abc_-9"',
    '"xabc_-9"',
    'abc_-9',
    'W/abc_-9',
    'w/"abc_-9"',
    'W/ "abc_-9"',
    'W/W/"abc_-9"',
    '"abc_-9',
    'abc_-9"',
    '"*"',
    '**',
  ])('does not name the tag in %p', (header) => {
    expect(matchesTag(header, TAG)).toBe(false);
  });

  it('matches nothing when it is absent or the answer has no tag', () => {
    expect([matchesTag(undefined, TAG), matchesTag('*', null), matchesTag(TAG, null), matchesTag('null', null)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('names the tag exactly when a list of well-formed tags contains it', () => {
    const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.stringMatching(/^[!#-~]{0,12}$/)).map(([weak, value]) => `${weak}"${value}"`);
    const separator = fc.constantFrom(',', ', ', ' ,', '\t, ', ',\t');
    fc.assert(
      fc.property(
        fc.array(tag, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('W/"tag"', 'W/"other"'),
        fc.nat(8),
        fc.boolean(),
        separator,
        (tags, own, place, isNamed, between) => {
          const list = isNamed
            ? [...tags.slice(0, place), own, ...tags.slice(place)]
            : tags.filter((other) => !own.endsWith(other.replace('W/', '')));
          fc.pre(list.length > 0);
          expect({ list, isNamed: matchesTag(list.join(between), own) }).toEqual({ list, isNamed });
        },
      ),
    );
  });
});
