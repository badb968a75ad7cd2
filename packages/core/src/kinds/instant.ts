/** A time as whole milliseconds since 1970-01-01T00:00:00Z, in the years 0000 to 9999. Only adapters and apps use text for times. */
export type Instant = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** 0000-01-01T00:00:00.000Z */
export const EARLIEST_INSTANT: Instant = -62_167_219_200_000;
/** 9999-12-31T23:59:59.999Z */
export const LATEST_INSTANT: Instant = 253_402_300_799_999;

/** Whether it is the name of a time zone that this runtime knows, such as `Europe/Berlin`. */
export function isTimeZone(value: unknown): boolean {
  try {
    return typeof value === 'string' && new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function isInstant(value: unknown): value is Instant {
  return typeof value === 'number' && Number.isInteger(value) && value >= EARLIEST_INSTANT && value <= LATEST_INSTANT;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])((?:[01]\d|2[0-3]):[0-5]\d))$/i;

/** The start of a UTC date in the form `YYYY-MM-DD`; `null` for any other text. */
export function parseDate(text: string): Instant | null {
  const parts = DATE.exec(text);
  if (parts === null) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // `Date` turns 30 February into a day of March.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

/** Parses an RFC 3339 date-time with an offset; `null` for any other text, and for a leap second. Digits after the milliseconds are cut off. */
export function parseDateTime(text: string): Instant | null {
  const parts = DATE_TIME.exec(text);
  const day = parts?.[1] === undefined ? null : parseDate(parts[1]);
  if (parts === null || day === null) return null;
  const [, , time, seconds, fraction = '', sign, offset] = parts;
  const local = day + minutesOf(time) + Number(seconds) * SECOND + Number(fraction.slice(0, 3).padEnd(3, '0'));
  const instant = sign === '-' ? local + minutesOf(offset) : local - minutesOf(offset);
  return isInstant(instant) ? instant : null;
}

/** `HH:mm` in milliseconds. */
function minutesOf(text = '00:00'): number {
  return Number(text.slice(0, 2)) * HOUR + Number(text.slice(3)) * MINUTE;
}

/** `YYYY-MM-DDTHH:mm:ss.sssZ` */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function formatDate(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** The start of the UTC day that contains the instant. */
export function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / DAY) * DAY;
}

/** The start of the UTC month that contains the instant, or of one before or after it. @param months how many months later */
export function startOfMonth(instant: Instant, months = 0): Instant {
  const date = new Date(instant);
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}

/** The earliest of the moments that are not `null`; `null` if there is none. */
export function earliestOf(moments: Iterable<Instant | null>): Instant | null {
  let earliest: Instant | null = null;
  for (const moment of moments) if (moment !== null && (earliest === null || moment < earliest)) earliest = moment;
  return earliest;
}

/** The first of the moments after now at which a value is not the present one; `null` if there is none. */
export function firstChange<Value>(
  moments: Iterable<Instant>,
  now: Instant,
  valueAt: (moment: Instant) => Value,
  present = valueAt(now),
): Instant | null {
  const later = [...new Set(moments)].filter((moment) => moment > now).sort((a, b) => a - b);
  return later.find((moment) => valueAt(moment) !== present) ?? null;
}

/** The start of the UTC hour that contains the instant. */
export function startOfHour(instant: Instant): Instant {
  return Math.floor(instant / HOUR) * HOUR;
}
