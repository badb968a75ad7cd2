import { DAY, formatDate, formatInstant, HOUR, MINUTE, SECOND, type Instant } from '@vitrine/core';
import type { Language } from '../site.js';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

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
  readonly #day: Intl.DateTimeFormat;
  readonly #shortDay: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #shortMonth: Intl.DateTimeFormat;
  readonly #number: Intl.NumberFormat;

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
    this.#day = new Intl.DateTimeFormat(locale, { ...utc, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
    this.#shortDay = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
    this.#month = new Intl.DateTimeFormat(locale, { ...utc, month: 'long', year: 'numeric' });
    this.#shortMonth = new Intl.DateTimeFormat(locale, { ...utc, month: 'short' });
    this.#number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  }

  /** `22 Nov 2026, 14:03 UTC` */
  time(instant: Instant): string {
    return this.#time.format(instant);
  }

  /** `Sunday 22 November 2026` */
  day(instant: Instant): string {
    return this.#day.format(instant);
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
