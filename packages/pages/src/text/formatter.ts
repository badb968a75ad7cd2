import { LRUCache } from 'lru-cache';
import { DAY, formatDate, formatInstant, HOUR, type Instant, lengthInWords, MINUTE, SECOND, startOfDay } from '@vitrine/core';
import type { Language } from '../site.js';
import { isRepeated, type LocalOf, localTimeIn } from './local-time.js';
import { roundedLength } from './rounded-length.js';

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

/** What of two moments a range shows: their days, these with the year, or their times. */
type RangeForm = 'days' | 'fullDays' | 'times';

/** Writes a moment. */
type Written = (instant: Instant) => string;

/** How a moment near another one is written: `seconds` and `day` always have these. */
export type NearForm = 'short' | 'seconds' | 'day';

/**
 * Writes numbers and times in the language of the site. Clock times have the time zone of the site. Days are UTC days; `dayOf` says to which day of the
 * time zone a moment belongs.
 */
export class Formatter {
  /** `22 Nov 2026, 14:03 UTC` */
  readonly zonedTime: Written;
  /** `14:03` */
  readonly clock: Written;
  /** `22 Nov` */
  readonly monthDay: Written;
  /** `22 Nov 2026` */
  readonly shortDay: Written;
  /** `November 2026` */
  readonly month: Written;
  /** `Nov` */
  readonly shortMonth: Written;
  /** `Monday` */
  readonly weekdayName: Written;
  /** `M` */
  readonly weekdayLetter: Written;
  /** `YYYY-MM-DD` of a UTC day. */
  readonly isoDay: Written = formatDate;
  readonly iso: Written = formatInstant;
  readonly localOf: LocalOf;
  /** `Sun 22 Nov` */
  readonly #weekday: Written;
  /** `Sun, 22 Nov 2026` */
  readonly #fullDay: Written;
  /** `22 Nov` in the time zone of the site. */
  readonly #localDay: Written;
  /** `14:03:20` */
  readonly #seconds: Written;
  readonly #unitWords: (typeof UNIT_WORDS)[Language];
  readonly #locale: string;
  readonly #rangeForms: Readonly<Record<RangeForm, () => Intl.DateTimeFormat>>;
  readonly #number: () => Intl.NumberFormat;
  readonly #list: () => Intl.ListFormat;
  readonly #languages: () => Intl.DisplayNames;
  readonly #units = new Map<string, Intl.NumberFormat>();
  /** A range takes 0.4 ms to write, and pages show the same ones again and again. */
  readonly #ranges = onceUsed(() => new LRUCache<string, string>({ max: 1_000 }));

  /** @throws RangeError for an unknown time zone */
  constructor(language: Language, timeZone: string) {
    const locale = LOCALES[language];
    const formatOf = (options: Intl.DateTimeFormatOptions) => onceUsed(() => new Intl.DateTimeFormat(locale, options));
    const writtenBy =
      (format: () => Intl.DateTimeFormat): Written =>
      (instant) =>
        format().format(instant);
    const written = (options: Intl.DateTimeFormatOptions): Written => writtenBy(formatOf(options));
    const utc = { timeZone: 'UTC' } as const;
    const day = { day: 'numeric', month: 'short' } as const;
    const clock = { timeZone, hour: '2-digit', minute: '2-digit' } as const;
    this.#locale = locale;
    this.#unitWords = UNIT_WORDS[language];
    this.#list = onceUsed(() => new Intl.ListFormat(locale));
    this.#languages = onceUsed(() => new Intl.DisplayNames(locale, { type: 'language' }));
    this.#number = onceUsed(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
    this.#rangeForms = {
      days: formatOf({ ...utc, ...day }),
      fullDays: formatOf({ ...utc, ...day, year: 'numeric' }),
      times: formatOf({ ...day, year: 'numeric', ...clock }),
    };
    this.#weekday = written({ ...utc, ...day, weekday: 'short' });
    this.#fullDay = written({ ...utc, ...day, weekday: 'short', year: 'numeric' });
    this.#localDay = written({ timeZone, ...day });
    this.localOf = localTimeIn(timeZone);
    this.#seconds = written({ ...clock, second: '2-digit' });
    this.zonedTime = written({ ...day, year: 'numeric', ...clock, timeZoneName: 'short' });
    this.clock = written(clock);
    this.monthDay = writtenBy(this.#rangeForms.days);
    this.shortDay = writtenBy(this.#rangeForms.fullDays);
    this.month = written({ ...utc, month: 'long', year: 'numeric' });
    this.shortMonth = written({ ...utc, month: 'short' });
    this.weekdayName = written({ ...utc, weekday: 'long' });
    this.weekdayLetter = written({ ...utc, weekday: 'narrow' });
  }

  /** `22 Nov 2026, 14:03`. Each page names the time zone once; only times at which clocks show the same twice have it themselves. */
  time(instant: Instant): string {
    return isRepeated(instant, this.localOf) ? this.zonedTime(instant) : this.#rangeForms.times().format(instant);
  }

  /** `14:03`, or `14:03:20`, on the day of the other moment, `22 Nov, 14:03` less than a year from it, otherwise the full time. */
  timeNear(instant: Instant, other: Instant, form: NearForm = 'short'): string {
    const distance = Math.abs(instant - other);
    if (distance > MOST_NEAR) return this.time(instant);
    const [day, clock] = [this.#localDay(instant), form === 'seconds' ? this.#seconds(instant) : this.clock(instant)];
    return form !== 'day' && distance < DAY && day === this.#localDay(other) ? clock : `${day}, ${clock}`;
  }

  /** The day to which a moment belongs in the time zone of the site, as the start of the UTC day with the same date, which the other methods write. */
  dayOf(instant: Instant): Instant {
    return startOfDay(this.localOf(instant));
  }

  /** `Sun 22 Nov`, and `Sun, 30 Nov 2025` in another year than the present one. */
  weekday(day: Instant, now: Instant): string {
    return (this.#isThisYear(day, now) ? this.#weekday : this.#fullDay)(day);
  }

  /** `22 Nov`, and `30 Nov 2025` in another year than the present one. */
  dayOfYear(day: Instant, now: Instant): string {
    return (this.#isThisYear(day, now) ? this.monthDay : this.shortDay)(day);
  }

  /** `12–22 Nov`, or `28 Oct – 3 Nov`, with the year unless all is in the present one. */
  dayRange(from: Instant, to: Instant, now: Instant): string {
    return this.#range(this.#isThisYear(from, now) && this.#isThisYear(to, now) ? 'days' : 'fullDays', from, to);
  }

  #isThisYear(day: Instant, now: Instant): boolean {
    return new Date(day).getUTCFullYear() === new Date(this.localOf(now)).getUTCFullYear();
  }

  /** `2 d 4 h`, `1 h 34 min`, `26 min` or `40 s`. The script of the pages has the same units. */
  duration(milliseconds: number): string {
    const { day, hour, minute, second } = this.#unitWords;
    const rounded = roundedLength(milliseconds);
    const [days, hours, minutes] = [Math.floor(rounded / DAY), Math.floor((rounded % DAY) / HOUR), Math.floor((rounded % HOUR) / MINUTE)];
    if (days > 0) return [`${this.number(days)} ${day(days)}`, ...(hours > 0 ? [`${String(hours)} ${hour}`] : [])].join(' ');
    if (hours > 0) return [`${String(hours)} ${hour}`, ...(minutes > 0 ? [`${String(minutes)} ${minute}`] : [])].join(' ');
    return minutes > 0 ? `${String(minutes)} ${minute}` : `${String(rounded / SECOND)} ${second}`;
  }

  /** `2 days and 4 hours`, `1 hour and 34 minutes`, `26 minutes` or `40 seconds`: for a sentence. */
  durationInWords(milliseconds: number): string {
    return lengthInWords(milliseconds, this.#locale);
  }

  /** `5:01` or `1:02:03`: the length of a recording. */
  length(seconds: number): string {
    const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
    const shown = parts[0] === 0 ? parts.slice(1) : parts;
    return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
  }

  /** `22 Nov 2026, 14:00–16:00` */
  timeRange(from: Instant, to: Instant): string {
    if (from > to) return this.time(from);
    return [from, to].some((end) => isRepeated(end, this.localOf))
      ? `${this.zonedTime(from)} – ${this.zonedTime(to)}`
      : this.#range('times', from, to);
  }

  #range(form: RangeForm, from: Instant, to: Instant): string {
    const key = `${form} ${String(from)} ${String(to)}`;
    const known = this.#ranges().get(key) ?? this.#rangeForms[form]().formatRange(from, to);
    this.#ranges().set(key, known);
    return known;
  }

  /** A page has thousands of small counts, and both languages write them alike. */
  number(value: number): string {
    return Number.isInteger(value) && value >= 0 && value < 1_000 ? String(value) : this.#number().format(value);
  }

  /** `4.2 MB`, in steps of a thousand. */
  bytes(count: number): string {
    const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
    const value = count / 1_000 ** step;
    return `${this.#number().format(value < 10 ? Math.round(10 * value) / 10 : Math.round(value))} ${SIZES[step] ?? ''}`;
  }

  /** `English` for `en`; the code itself if it is none of a language. */
  languageName(code: string): string {
    try {
      return this.#languages().of(code) ?? code;
    } catch {
      return code;
    }
  }

  /** `commits, findings and news` */
  list(words: readonly string[]): string {
    return this.#list().format(words);
  }

  /** All digits of a number. */
  exact(value: number): string {
    return new Intl.NumberFormat(this.#locale, { maximumSignificantDigits: 16 }).format(value);
  }

  /** `15 minutes`: the longest unit of which there is a whole number. */
  interval(milliseconds: number): string {
    const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['second', SECOND] as const);
    return this.#counted(unit, milliseconds / length);
  }

  #counted(unit: string, count: number): string {
    const format = this.#units.get(unit) ?? new Intl.NumberFormat(this.#locale, { style: 'unit', unit, unitDisplay: 'long' });
    this.#units.set(unit, format);
    return format.format(count);
  }

  /** The figure as the API prints it: it has at most two decimals, so it is not rounded. */
  percent(value: number): string {
    return `${this.#number().format(value)} %`;
  }
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
