import { isWebAddress } from '@vitrine/config/internal';
import { DAY, HOUR, isInstant, MINUTE, parseDate, type Instant } from '@vitrine/core';

const TRACKING = /^utm_/i;

/** Without user name, password and `utm_*` parameters. `null` for other schemes than http and https, and for more than 2,048 characters. @param base `null`: none */
export function canonicalAddress(text: string | undefined, base: string | null): string | null {
  const url = text === undefined || text.trim() === '' ? null : resolved(text, base ?? undefined);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  [url.username, url.password] = ['', ''];
  // Only if there is something to remove, because other parameters must stay as they are written.
  if (/[?&]utm_/i.test(url.search)) url.search = withoutTracking(url.search);
  return isWebAddress(url.href) ? url.href : null;
}

function resolved(text: string, base: string | undefined): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

function withoutTracking(search: string): string {
  return search
    .slice(1)
    .split('&')
    .filter((parameter) => !TRACKING.test(parameter))
    .join('&');
}

/** An address in the form in which it may be published: without its query, which may hold a token. */
export function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

/** Times before this were not published on the web. Years such as 0, 1 and 1970 are mistakes of programs. */
const FIRST = Date.UTC(1990, 0, 1);
/** RFC 3339 and RFC 822 require a zone. A time without one is read as UTC, wherever Vitrine runs. In `28-Nov-2026`, `-2026` is a year and not a zone. */
const HAS_ZONE = /(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d|\b(?:gmt|utc?|[ecmp][sd]t))\s*(?:\([^)]*\))?$/i;
/** A year first, or the name of a month. `Date.parse` also reads `Version 3` and `5`, which are no dates, and `01.02.2004`, in which the month is not known. */
const IS_CLEAR =
  /^\d{4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?[\s-]+\d|\d(?:st|nd|rd|th)?[\s-]+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const IS_DATE = /^\d{4}(?:-\d{2}){0,2}$/;
/** `2026-11-20`, `Nov 20` or `20 Nov` */
const DAY_OF_MONTH =
  /^\d{4}(\W{1,2})(\d{1,2})\1(\d{1,2})(?!\d)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\W{0,3}(\d{1,2})(?![\d:])|(?<![\d:])(\d{1,2})\W{0,3}(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
/** A year such as `0001`, which Go and .NET write for no time. The engine reads it as 2001 except in ISO 8601. */
const NO_YEAR = /(?:^|[\s,]|[a-z]-)00\d\d(?![\d:])/i;
/** Longer texts are not times. The search for a zone would take quadratic time for them. */
const LONGEST = 100;

/** Zones that programs write, besides those of North America, which the engine knows. Summer time is written as its own zone. */
const ZONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '+0000': 'WET',
    '+0100': 'WEST BST CET MEZ MET',
    '+0200': 'CEST MESZ MEST EET',
    '+0300': 'EEST MSK',
    '+0800': 'HKT SGT AWST',
    '+0900': 'JST KST',
    '+1000': 'AEST',
    '+1100': 'AEDT',
    '+1200': 'NZST',
    '+1300': 'NZDT',
  }).flatMap(([offset, names]) => names.split(' ').map((name) => [name, offset])),
);
const ENDING = /^(.*\d)\s*\(?([a-z]{3,4}|[a-z]+\/[a-z_]+)\)?$/i;

/** The time that a document states for something that it has published; `null` if there is none, or if it cannot be true: before 1990, or more than a day ahead. */
export function statedTime(text: string | undefined, now: Instant): Instant | null {
  const stated = text?.trim() ?? '';
  if (stated.length > LONGEST || !IS_CLEAR.test(stated)) return null;
  const time = timeOf(stated);
  return isInstant(time) && time >= FIRST && time <= now + DAY ? time : null;
}

function timeOf(text: string): number {
  const time = parsedTime(text);
  return !NO_YEAR.test(text) && hasItsDay(text, time) ? time : Number.NaN;
}

/** The engine reads 30 February as 2 March. A zone moves a time by less than a day, so the last days of February are in the year of the time. */
function hasItsDay(text: string, time: number): boolean {
  const [, , month, day, monthBefore, dayAfter, dayBefore, monthAfter] = DAY_OF_MONTH.exec(text) ?? [];
  const written = day ?? dayAfter ?? dayBefore;
  const year = String(new Date(time).getUTCFullYear());
  return written === undefined || parseDate(isoDate(year, month ?? monthBefore ?? monthAfter, written)) !== null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `YYYY-MM-DD` @param month its number or its name */
export function isoDate(year = '', month = '', day = ''): string {
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  return [year, index < 0 ? month : String(index + 1), day].map((part) => part.padStart(2, '0')).join('-');
}

function parsedTime(text: string): number {
  const [, local = '', zone = ''] = HAS_ZONE.test(text) ? [] : (ENDING.exec(text) ?? []);
  if (zone.includes('/')) return timeInPlace(local, zone);
  const offset = ZONES.get(zone.toUpperCase());
  return Date.parse(withZone(offset === undefined ? text : local.trim() + offset));
}

function timeInPlace(local: string, zone: string): number {
  const asUtc = Date.parse(withZone(local.trim()));
  const offset = offsetIn(zone, asUtc);
  // The offset at the time itself, which is another one around a change of the clocks.
  return asUtc - offsetIn(zone, asUtc - offset);
}

/** What a clock in the zone is ahead of UTC at a moment, in milliseconds; NaN if the zone is not known. */
function offsetIn(timeZone: string, at: number): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE);
  } catch {
    return Number.NaN;
  }
}

function withZone(text: string): string {
  if (IS_DATE.test(text)) return text;
  if (HAS_ZONE.test(text)) return text.replace(/(?<=T[\d:.]{1,30}) (?=[+-])/, '');
  return /^\d{4}-/.test(text) ? `${text.replace(' ', 'T')}Z` : `${text} GMT`;
}
