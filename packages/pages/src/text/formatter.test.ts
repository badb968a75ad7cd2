import { DAY, HOUR, MINUTE, SECOND } from '@vitrine/core';
import { formatterOf } from './formatter.js';

const english = formatterOf('en', 'UTC');
const german = formatterOf('de', 'Europe/Berlin');

describe('the formatter', () => {
  it.each([
    [10 * SECOND, '10 seconds'],
    [90 * SECOND, '90 seconds'],
    [MINUTE, '1 minute'],
    [15 * MINUTE, '15 minutes'],
    [90 * MINUTE, '90 minutes'],
    [8 * HOUR, '8 hours'],
    [31 * DAY, '31 days'],
    [1_500, '1.5 seconds'],
  ])('writes an interval of %d ms in the longest unit of which there is a whole number', (milliseconds, text) => {
    expect(english.interval(milliseconds)).toBe(text);
  });

  it.each([
    [0, '1 second', '1 Sekunde'],
    [40 * SECOND, '40 seconds', '40 Sekunden'],
    [MINUTE - 1, '1 minute', '1 Minute'],
    [41 * MINUTE + 59 * SECOND, '42 minutes', '42 Minuten'],
    [HOUR - 1, '1 hour', '1 Stunde'],
    [HOUR, '1 hour', '1 Stunde'],
    [2 * DAY - MINUTE, '47 hours and 59 minutes', '47 Stunden und 59 Minuten'],
    [2 * DAY - 1, '2 days', '2 Tage'],
    [50 * HOUR + 29 * MINUTE, '2 days and 2 hours', '2 Tage und 2 Stunden'],
    [15 * DAY, '15 days', '15 Tage'],
    [16 * DAY - MINUTE, '16 days', '16 Tage'],
  ])('writes a duration of %d ms in words', (milliseconds, inEnglish, inGerman) => {
    expect([english, german].map((format) => format.durationInWords(milliseconds))).toEqual([inEnglish, inGerman]);
  });

  it.each([
    [40 * SECOND, '40 s', '40 Sek.'],
    [26 * MINUTE, '26 min', '26 Min.'],
    [94 * MINUTE, '1 h 34 min', '1 Std. 34 Min.'],
    [DAY, '1 d', '1 Tag'],
    [52 * HOUR, '2 d 4 h', '2 Tage 4 Std.'],
  ])('writes a length of %d ms', (milliseconds, inEnglish, inGerman) => {
    expect([english, german].map((format) => format.duration(milliseconds))).toEqual([inEnglish, inGerman]);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_024, '1 kB'],
    [4_180_000, '4.2 MB'],
    [61_200_000, '61 MB'],
    [2 ** 50, '1.1 PB'],
  ])('writes the size of %d bytes', (count, text) => {
    expect(english.bytes(count)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [1, '1 s'],
    [40 * SECOND, '40 s'],
    [MINUTE - 1, '1 min'],
    [3 * MINUTE - 11, '3 min'],
    [MINUTE + 29 * SECOND, '1 min'],
    [HOUR - 1, '1 h'],
    [DAY - 1, '1 d'],
    [2 * DAY + 4 * HOUR - 1, '2 d 4 h'],
  ])('writes a length of %d ms rounded to the units that it shows', (milliseconds, text) => {
    expect(english.duration(milliseconds)).toBe(text);
  });

  const MOMENT = Date.UTC(2026, 10, 20, 23, 30);

  it.each([
    [MOMENT, english, '23:30'],
    [MOMENT + HOUR, english, '21 Nov, 00:30'],
    [MOMENT + HOUR, german, '01:30'],
    [MOMENT + DAY, english, '21 Nov, 23:30'],
    [MOMENT - 365 * DAY, english, '20 Nov 2025, 23:30'],
  ])('writes %d beside a moment that is shown in full, as short as it can be told apart', (instant, format, text) => {
    expect(format.timeNear(instant, MOMENT)).toBe(text);
  });

  it('writes a range of times each time alike, and its begin alone if it ends before', () => {
    const ranges = [1, 2, 1].map((hours) => english.timeRange(MOMENT - HOUR, MOMENT - HOUR + hours * 10 * MINUTE));
    expect(ranges).toEqual(
      ['10', '20', '10'].map((minutes) => expect.stringMatching(`^20 Nov 2026, 22:30\u2009?–\u2009?22:${String(30 + Number(minutes))}$`)),
    );
    expect(english.timeRange(MOMENT, MOMENT - 1)).toBe('20 Nov 2026, 23:30');
  });

  it.each([
    [Date.UTC(2026, 2, 30), 'Mon 30 Mar', '30 Mar', 'Mo., 30. März', '30. März'],
    [Date.UTC(2025, 2, 30), 'Sun, 30 Mar 2025', '30 Mar 2025', 'So., 30. März 2025', '30. März 2025'],
    [Date.UTC(2024, 1, 29), 'Thu, 29 Feb 2024', '29 Feb 2024', 'Do., 29. Feb. 2024', '29. Feb. 2024'],
    [Date.UTC(2027, 0, 1), 'Fri, 1 Jan 2027', '1 Jan 2027', 'Fr., 1. Jan. 2027', '1. Jan. 2027'],
  ])('writes the day %d with its year if that is not the present one', (day, ...texts) => {
    expect([english, german].flatMap((format) => [format.weekday(day, MOMENT), format.dayOfYear(day, MOMENT)])).toEqual(texts);
  });

  it('takes the present year from the time zone of the site', () => {
    const [newYear, beforeMidnight] = [Date.UTC(2027, 0, 1), Date.UTC(2026, 11, 31, 23, 30)];
    expect([english, german].map((format) => format.weekday(newYear, beforeMidnight))).toEqual(['Fri, 1 Jan 2027', 'Fr., 1. Jan.']);
  });

  it.each([
    [Date.UTC(2026, 2, 28), Date.UTC(2026, 2, 30), '28–30 Mar'],
    [Date.UTC(2025, 2, 28), Date.UTC(2025, 2, 30), '28–30 Mar 2025'],
    [Date.UTC(2025, 11, 28), Date.UTC(2026, 0, 2), '28 Dec 2025 – 2 Jan 2026'],
  ])('writes days from %d to %d with their year unless all are in the present one', (from, to, text) => {
    expect(english.dayRange(from, to, MOMENT).replaceAll('\u2009', '')).toBe(text.replaceAll(' – ', '–'));
  });

  it.each([-1, 1])('gives the day of the zone also to the first seconds of a day (%d day from 1970)', (day) => {
    const midnight = day * 86_400_000;
    expect(formatterOf('en', 'Europe/Berlin').dayOf(midnight - 3_600_000 + 30_500)).toBe(midnight);
  });

  describe('when clocks are put back, so that they show an hour twice', () => {
    const [SUMMER, WINTER] = ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'].map((time) => Date.parse(time)) as [number, number];
    const berlin = formatterOf('en', 'Europe/Berlin');
    const [first, second] = ['31 Oct 2027, 02:30 CEST', '31 Oct 2027, 02:30 CET'];

    it('names the zone of each time in it', () => {
      expect([SUMMER, WINTER].map((at) => berlin.time(at))).toEqual([first, second]);
      expect([SUMMER, WINTER].map((at) => german.time(at))).toEqual(['31. Okt. 2027, 02:30 MESZ', '31. Okt. 2027, 02:30 MEZ']);
      expect([SUMMER - HOUR, WINTER + HOUR].map((at) => berlin.time(at))).toEqual(['31 Oct 2027, 01:30', '31 Oct 2027, 03:30']);
      expect(english.time(SUMMER)).toBe('31 Oct 2027, 00:30');
    });

    it.each([
      ['from the first to the second', SUMMER, WINTER, `${first} – ${second}`],
      ['in the first only', SUMMER, SUMMER + MINUTE, `${first} – 31 Oct 2027, 02:31 CEST`],
      ['to the second', SUMMER - HOUR, WINTER, `31 Oct 2027, 01:30 CEST – ${second}`],
      ['from the first', SUMMER, WINTER + HOUR, `${first} – 31 Oct 2027, 03:30 CET`],
      ['that ends before it begins', WINTER, SUMMER, second],
    ])('names the zones of both ends of a range %s', (_name, from, to, text) => {
      expect(berlin.timeRange(from, to)).toBe(text);
    });

    it('names no zone of a range across that hour', () => {
      expect(berlin.timeRange(SUMMER - 2 * HOUR, WINTER + HOUR)).not.toContain('CE');
    });

    it.each([
      ['half an hour', 'Australia/Lord_Howe', '2027-04-04T01:45:00+11:00', 30, ['4 Apr 2027, 01:45 GMT+11', '4 Apr 2027, 01:45 GMT+10:30']],
      ['two hours', 'Antarctica/Troll', '2027-10-31T01:15:00+02:00', 120, ['31 Oct 2027, 01:15 GMT+2', '31 Oct 2027, 01:15 GMT']],
    ])('names the zone also where clocks move by %s', (_length, timeZone, first, minutes, texts) => {
      const format = formatterOf('en', timeZone);
      expect([0, minutes].map((later) => format.time(Date.parse(first) + later * MINUTE))).toEqual(texts);
      expect([-120, 240].map((later) => format.time(Date.parse(first) + later * MINUTE))).not.toContainEqual(expect.stringContaining('GMT'));
    });
  });

  it('names the time zone in titles', () => {
    expect([english.zonedTime(MOMENT), german.zonedTime(MOMENT)]).toEqual(['20 Nov 2026, 23:30 UTC', '21. Nov. 2026, 00:30 MEZ']);
  });

  it('writes intervals and numbers in the language of the site', () => {
    expect(german.interval(8 * HOUR)).toBe('8 Stunden');
    expect([english.list(['a', 'b', 'c']), german.list(['a', 'b'])]).toEqual(['a, b and c', 'a und b']);
    expect([english.exact(215_700 / 2_160), german.exact(215_700 / 2_160)]).toEqual(['99.86111111111111', '99,86111111111111']);
    expect([english.percent(99.86), german.percent(99.86)]).toEqual(['99.86 %', '99,86 %']);
  });
});
