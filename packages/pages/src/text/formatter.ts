import { LRUCache } from 'lru-cache';
import { DAY, formatDate, formatInstant, HOUR, type Instant, MINUTE, SECOND } from '@vitrine/core';
import type { Language } from '../site.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** A day of the year within this distance is of one year only. */
const MOST_NEAR = 300 * DAY;

/** The longest first. */
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/** Writes numbers and times in the language of the site. Days are UTC days; clock times have the time zone of the site. */
export class Formatter {
  readonly #locale: string;
  readonly #time: Intl.DateTimeFormat;
  readonly #shortDay: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #shortMonth: Intl.DateTimeFormat;
  readonly #number: Intl.NumberFormat;
  readonly #weekday: Intl.DateTimeFormat;
  readonly #monthDay: Intl.DateTimeFormat;
  readonly #localDay: Intl.DateTimeFormat;
  readonly #clock: Intl.DateTimeFormat;
  readonly #weekdayName: Intl.DateTimeFormat;
  readonly #weekdayLetter: Intl.DateTimeFormat;
  /** A range takes 0.4 ms to write, and pages show the same ones again and again. */
  readonly #ranges = new LRUCache<string, string>({ max: 1_000 });

  /** @throws RangeError for an unknown time zone */
  constructor(language: Language, timeZone: string) {
    const locale = LOCALES[language];
    this.#locale = locale;
    this.#time = new Intl.DateTimeFormat(locale, {
      timeZone,
      timeZoneName: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    });
    const utc = { timeZone: 'UTC' } as const;
    this.#shortDay = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
    this.#month = new Intl.DateTimeFormat(locale, { ...utc, month: 'long', year: 'numeric' });
    this.#shortMonth = new Intl.DateTimeFormat(locale, { ...utc, month: 'short' });
    this.#weekday = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'short', day: 'numeric', month: 'short' });
    this.#monthDay = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' });
    this.#localDay = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' });
    this.#clock = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' });
    this.#weekdayName = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'long' });
    this.#weekdayLetter = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'narrow' });
    this.#number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  }

  /** `22 Nov 2026, 14:03 UTC` */
  time(instant: Instant): string {
    return this.#time.format(instant);
  }

  /** `14:03` on the day of the other moment, `22 Nov, 14:03` less than a year from it, otherwise the full time. */
  timeNear(instant: Instant, other: Instant): string {
    const distance = Math.abs(instant - other);
    if (distance > MOST_NEAR) return this.time(instant);
    const [day, clock] = [this.#localDay.format(instant), this.clock(instant)];
    return distance < DAY && day === this.#localDay.format(other) ? clock : `${day}, ${clock}`;
  }

  /** `Sun, 22 Nov` */
  weekday(instant: Instant): string {
    return this.#weekday.format(instant);
  }

  /** `22 Nov` */
  monthDay(instant: Instant): string {
    return this.#monthDay.format(instant);
  }

  /** `12–22 Nov`, or `28 Oct – 3 Nov` */
  dayRange(from: Instant, to: Instant): string {
    return this.#monthDay.formatRange(from, to);
  }

  /** `14:03` */
  clock(instant: Instant): string {
    return this.#clock.format(instant);
  }

  /** `Monday` */
  weekdayName(instant: Instant): string {
    return this.#weekdayName.format(instant);
  }

  /** `M` */
  weekdayLetter(instant: Instant): string {
    return this.#weekdayLetter.format(instant);
  }

  /** `2 d 4 h`, `1 h 34 min`, `26 min` or `40 s`, in the units of the SI, which both languages use. */
  duration(milliseconds: number): string {
    const [days, hours, minutes] = [
      Math.floor(milliseconds / DAY),
      Math.floor((milliseconds % DAY) / HOUR),
      Math.floor((milliseconds % HOUR) / MINUTE),
    ];
    if (days > 0) return [`${this.number(days)} d`, ...(hours > 0 ? [`${String(hours)} h`] : [])].join(' ');
    if (hours > 0) return [`${String(hours)} h`, ...(minutes > 0 ? [`${String(minutes)} min`] : [])].join(' ');
    return minutes > 0 ? `${String(minutes)} min` : `${String(Math.round(milliseconds / SECOND))} s`;
  }

  /** `5:01` or `1:02:03`: the length of a recording. */
  length(seconds: number): string {
    const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
    const shown = parts[0] === 0 ? parts.slice(1) : parts;
    return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
  }

  /** `22 Nov 2026, 14:00–16:00 UTC` */
  timeRange(from: Instant, to: Instant): string {
    if (from > to) return this.time(from);
    const key = `${String(from)} ${String(to)}`;
    const known = this.#ranges.get(key) ?? this.#time.formatRange(from, to);
    this.#ranges.set(key, known);
    return known;
  }

  /** `22 Nov 2026` */
  shortDay(instant: Instant): string {
    return this.#shortDay.format(instant);
  }

  /** `November 2026` */
  month(instant: Instant): string {
    return this.#month.format(instant);
  }

  /** `Nov` */
  shortMonth(instant: Instant): string {
    return this.#shortMonth.format(instant);
  }

  number(value: number): string {
    return this.#number.format(value);
  }

  /** `4.2 MB`, in steps of a thousand. */
  bytes(count: number): string {
    const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
    const value = count / 1_000 ** step;
    return `${this.#number.format(value < 10 ? Math.round(10 * value) / 10 : Math.round(value))} ${SIZES[step] ?? ''}`;
  }

  /** `commits, findings and news` */
  list(words: readonly string[]): string {
    return new Intl.ListFormat(this.#locale).format(words);
  }

  /** All digits of a number. */
  exact(value: number): string {
    return new Intl.NumberFormat(this.#locale, { maximumSignificantDigits: 16 }).format(value);
  }

  /** `15 minutes`: the longest unit of which there is a whole number. */
  interval(milliseconds: number): string {
    const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['second', SECOND] as const);
    return new Intl.NumberFormat(this.#locale, { style: 'unit', unit, unitDisplay: 'long' }).format(milliseconds / length);
  }

  /** The figure as the API prints it: it has at most two decimals, so it is not rounded. */
  percent(value: number): string {
    return `${this.#number.format(value)} %`;
  }

  /** `YYYY-MM-DD` of a UTC day. */
  isoDay(instant: Instant): string {
    return formatDate(instant);
  }

  iso(instant: Instant): string {
    return formatInstant(instant);
  }
}

/** The number of the UTC day, to group records. */
export function dayNumber(instant: Instant): number {
  return Math.floor(instant / DAY);
}

/** What people call a service; its key if it has no name. */
export function serviceName({ key, displayName }: { readonly key: string; readonly displayName: string }): string {
  return displayName.trim() === '' ? key : displayName;
}
