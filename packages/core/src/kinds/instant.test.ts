import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY, EARLIEST_INSTANT, LATEST_INSTANT, formatDate, formatInstant, isInstant, parseDate, parseDateTime, startOfDay } from './instant.js';

interface Vectors {
  readonly dateTimes: readonly { text: string; instant: number | null }[];
  readonly dates: readonly { text: string; instant: number | null }[];
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/instants.json'), 'utf8')) as Vectors;
const instants = fc.integer({ min: EARLIEST_INSTANT, max: LATEST_INSTANT });

describe('parseDateTime', () => {
  it('reads texts as the vectors say', () => {
    expect(vectors.dateTimes.map((vector) => ({ ...vector, instant: parseDateTime(vector.text) }))).toEqual(vectors.dateTimes);
  });

  it('reads back every instant that was formatted', () => {
    fc.assert(fc.property(instants, (instant) => parseDateTime(formatInstant(instant)) === instant));
  });

  it('takes the offset into account, whatever it is', () => {
    const offsets = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    fc.assert(
      fc.property(fc.integer({ min: EARLIEST_INSTANT + DAY, max: LATEST_INSTANT - DAY }), offsets, (instant, minutes) => {
        const two = (value: number) => String(value).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        expect(parseDateTime(formatInstant(instant + minutes * 60_000).replace('Z', offset))).toBe(instant);
      }),
    );
  });
});

describe('parseDate', () => {
  it('reads texts as the vectors say', () => {
    expect(vectors.dates.map((vector) => ({ ...vector, instant: parseDate(vector.text) }))).toEqual(vectors.dates);
  });

  it('reads back the date of every instant as the start of its day', () => {
    fc.assert(fc.property(instants, (instant) => parseDate(formatDate(instant)) === startOfDay(instant)));
  });
});

describe('isInstant', () => {
  it.each([0, -1, EARLIEST_INSTANT, LATEST_INSTANT])('takes %d', (value) => {
    expect(isInstant(value)).toBe(true);
  });

  it.each([EARLIEST_INSTANT - 1, LATEST_INSTANT + 1, 0.5, NaN, Infinity, '0', null, undefined, 0n, new Date(0)])('refuses %p', (value) => {
    expect(isInstant(value)).toBe(false);
  });
});
