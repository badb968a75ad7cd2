import { LRUCache } from 'lru-cache';
import { DAY, formatDate, formatInstant, HOUR, type Instant, lengthInWords, MINUTE, SECOND, startOfDay } from '@vitrine/core';
import type { Language } from '../site.js';
import { isRepeated, localTimeIn } from './local-time.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A day of the year within this distance is of one year only. */
const MOST_NEAR = 300 * DAY;

/** The units of lengths: in English those of the SI, in German those of texts. */
const UNIT_WORDS = {
  en: { day: () => 'd', hour: 'h', minute: 'min', second: 's' },
  de: { day: (count: number) => (count === 1 ? 'Tag' : 'Tage'), hour: 'Std.', minute: 'Min.', second: 'Sek.' },
} as const satisfies Readonly<Record<Language, unknown>>;

/** The longest first. */
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/** How a moment near another one is written: `seconds` and `day` always have these. */
export type NearForm = 'short' | 'seconds' | 'day';

/**
 * Writes numbers and times in the language of the site. Clock times have the time zone of the site. Days are UTC days; `dayOf` says to which day of the
 * time zone a moment belongs.
 */
export type Formatter = ReturnType<typeof formatterOf>;

/** @throws RangeError for an unknown time zone */
export function formatterOf(language: Language, timeZone: string) {
  const quantities = quantitiesOf(LOCALES[language]);
  return { ...momentsOf(LOCALES[language], timeZone), ...quantities, duration: durationIn(language, quantities.number) };
}

function momentsOf(locale: string, timeZone: string) {
  const localOf = localTimeIn(timeZone);
  const write = writersOf(locale, timeZone);
  /** `22 Nov 2026, 14:03`. Each page names the time zone once; only times at which clocks show the same twice have it themselves. */
  const time = (instant: Instant) => (isRepeated(instant, localOf) ? write.zonedTime : write.time)(instant);
  const isThisYear = (day: Instant, now: Instant) => new Date(day).getUTCFullYear() === new Date(localOf(now)).getUTCFullYear();
  return {
    ...write,
    time,
    localOf,
    iso: formatInstant,
    /** `YYYY-MM-DD` of a UTC day. */
    isoDay: formatDate,
    /** `14:03`, or `14:03:20`, on the day of the other moment, `22 Nov, 14:03` less than a year from it, otherwise the full time. */
    timeNear(instant: Instant, other: Instant, form: NearForm = 'short'): string {
      const distance = Math.abs(instant - other);
      if (distance > MOST_NEAR) return time(instant);
      const [day, clock] = [write.localDay(instant), form === 'seconds' ? write.seconds(instant) : write.clock(instant)];
      return form !== 'day' && distance < DAY && day === write.localDay(other) ? clock : `${day}, ${clock}`;
    },
    /** The day to which a moment belongs in the time zone of the site, as the start of the UTC day with the same date, which the other methods write. */
    dayOf: (instant: Instant): Instant => startOfDay(localOf(instant)),
    /** `Sun 22 Nov`, and `Sun, 30 Nov 2025` in another year than the present one. */
    weekday: (day: Instant, now: Instant) => (isThisYear(day, now) ? write.weekdayOfYear : write.fullDay)(day),
    /** `22 Nov`, and `30 Nov 2025` in another year than the present one. */
    dayOfYear: (day: Instant, now: Instant) => (isThisYear(day, now) ? write.monthDay : write.shortDay)(day),
    /** `12–22 Nov`, or `28 Oct – 3 Nov`, with the year unless all is in the present one. */
    dayRange: (from: Instant, to: Instant, now: Instant) =>
      (isThisYear(from, now) && isThisYear(to, now) ? write.monthDay : write.shortDay).range(from, to),
    /** `22 Nov 2026, 14:00–16:00` */
    timeRange(from: Instant, to: Instant): string {
      if (from > to) return time(from);
      const isUnclear = [from, to].some((end) => isRepeated(end, localOf));
      return isUnclear ? `${write.zonedTime(from)} – ${write.zonedTime(to)}` : write.time.range(from, to);
    },
  };
}

function writersOf(locale: string, timeZone: string) {
  const written = (options: Intl.DateTimeFormatOptions) => writerOf(onceUsed(() => new Intl.DateTimeFormat(locale, options)));
  const utc = { timeZone: 'UTC' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  const clock = { timeZone, hour: '2-digit', minute: '2-digit' } as const;
  const time = { ...day, year: 'numeric', ...clock } as const;
  return {
    time: written(time),
    /** `22 Nov 2026, 14:03 UTC` */
    zonedTime: written({ ...time, timeZoneName: 'short' }),
    /** `14:03` */
    clock: written(clock),
    /** `14:03:20` */
    seconds: written({ ...clock, second: '2-digit' }),
    /** `22 Nov` in the time zone of the site. */
    localDay: written({ timeZone, ...day }),
    /** `22 Nov` */
    monthDay: written({ ...utc, ...day }),
    /** `22 Nov 2026` */
    shortDay: written({ ...utc, ...day, year: 'numeric' }),
    /** `Sun, 22 Nov 2026` */
    fullDay: written({ ...utc, ...day, weekday: 'short', year: 'numeric' }),
    /** `Sun 22 Nov` */
    weekdayOfYear: written({ ...utc, ...day, weekday: 'short' }),
    /** `Monday` */
    weekdayName: written({ ...utc, weekday: 'long' }),
    /** `M` */
    weekdayLetter: written({ ...utc, weekday: 'narrow' }),
    /** `November 2026` */
    month: written({ ...utc, month: 'long', year: 'numeric' }),
    /** `Nov` */
    shortMonth: written({ ...utc, month: 'short' }),
  };
}

/** Writes a moment, or a range of two. A range takes 0.4 ms to write, and pages show the same ones again and again. */
function writerOf(format: () => Intl.DateTimeFormat) {
  const ranges = onceUsed(() => new LRUCache<string, string>({ max: 1_000 }));
  const range = (from: Instant, to: Instant): string => {
    const key = `${String(from)} ${String(to)}`;
    const known = ranges().get(key) ?? format().formatRange(from, to);
    ranges().set(key, known);
    return known;
  };
  return Object.assign((instant: Instant): string => format().format(instant), { range });
}

function quantitiesOf(locale: string) {
  const list = onceUsed(() => new Intl.ListFormat(locale));
  const languages = onceUsed(() => new Intl.DisplayNames(locale, { type: 'language' }));
  const decimal = onceUsed(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
  const units = new Map<string, Intl.NumberFormat>();
  return {
    /** A page has thousands of small counts, and both languages write them alike. */
    number: (value: number): string => (Number.isInteger(value) && value >= 0 && value < 1_000 ? String(value) : decimal().format(value)),
    /** The figure as the API prints it: it has at most two decimals, so it is not rounded. */
    percent: (value: number): string => `${decimal().format(value)} %`,
    /** All digits of a number. */
    exact: (value: number): string => new Intl.NumberFormat(locale, { maximumSignificantDigits: 16 }).format(value),
    /** `4.2 MB`, in steps of a thousand. */
    bytes(count: number): string {
      const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
      const value = count / 1_000 ** step;
      return `${decimal().format(value < 10 ? Math.round(10 * value) / 10 : Math.round(value))} ${SIZES[step] ?? ''}`;
    },
    /** `English` for `en`; the code itself if it is none of a language. */
    languageName(code: string): string {
      try {
        return languages().of(code) ?? code;
      } catch {
        return code;
      }
    },
    /** `commits, findings and news` */
    list: (words: readonly string[]): string => list().format(words),
    /** `15 minutes`: the longest unit of which there is a whole number. */
    interval(milliseconds: number): string {
      const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['second', SECOND] as const);
      const format = units.get(unit) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
      units.set(unit, format);
      return format.format(milliseconds / length);
    },
    /** `2 days and 4 hours`, `1 hour and 34 minutes`, `26 minutes` or `40 seconds`: for a sentence. */
    durationInWords: (milliseconds: number): string => lengthInWords(milliseconds, locale),
    /** `5:01` or `1:02:03`: the length of a recording. */
    length(seconds: number): string {
      const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
      const shown = parts[0] === 0 ? parts.slice(1) : parts;
      return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
    },
  };
}

/** `2 d 4 h`, `1 h 34 min`, `26 min` or `40 s`. The script of the pages has the same units. */
function durationIn(language: Language, number: (value: number) => string): (milliseconds: number) => string {
  const { day, hour, minute, second } = UNIT_WORDS[language];
  return (milliseconds) => {
    const rounded = roundedLength(milliseconds);
    const [days, hours, minutes] = [Math.floor(rounded / DAY), Math.floor((rounded % DAY) / HOUR), Math.floor((rounded % HOUR) / MINUTE)];
    const parts = [
      days > 0 ? `${number(days)} ${day(days)}` : '',
      hours > 0 ? `${String(hours)} ${hour}` : '',
      days === 0 && minutes > 0 ? `${String(minutes)} ${minute}` : '',
    ].filter((part) => part !== '');
    return parts.length > 0 ? parts.join(' ') : `${String(rounded / SECOND)} ${second}`;
  };
}

/** To the nearest second, minute or, from a day on, hour, which are the units that are shown: an outage of 179.9 s took 3 minutes, not 2. */
function roundedLength(milliseconds: number): number {
  const [seconds, minutes] = [SECOND, MINUTE].map((unit) => Math.round(milliseconds / unit) * unit) as [number, number];
  // What was short was not nothing.
  if (seconds < MINUTE) return milliseconds > 0 ? Math.max(SECOND, seconds) : seconds;
  return minutes < DAY ? minutes : Math.round(milliseconds / HOUR) * HOUR;
}

/** To make a format takes longer than to use it many times, so one is made when it is first used. */
function onceUsed<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** What people call a service; its key if it has no name. */
export function serviceName({ key, displayName }: { readonly key: string; readonly displayName: string }): string {
  return displayName.trim() === '' ? key : displayName;
}
