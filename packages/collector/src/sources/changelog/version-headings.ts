/** A heading of a released version. */
export interface VersionHeading {
  readonly version: string;
  /** `YYYY-MM-DD`; `''` without one that can be read. */
  readonly date: string;
}

/** No heading of a version is longer. */
const LONGEST = 500;
/** `1.2.0`, `v1.2.0`, `widget@1.2.0` */
const VERSION = /^(?:v|\S{1,200}@v?)?(\d+\.\d[\w.+-]*)$/i;
const TOKEN = /^[^\s,:()]+/;
/** At the second level, `2.0.0 The big one` and `3` are versions, too. */
const ANY_NUMBER = /^v?(\d[\w.+-]*)/i;
/** What may follow a version: nothing, or a date, a remark in brackets or behind a dash. `Node 18.0 support` is not a version. */
const NO_SENTENCE = /^\s*(?:$|[-–—:([/,|]|\d|released?\b)/i;
const WORDS = new Set(['version', 'ver.', 'release', 'released', 'rel.']);

/**
 * The version that a heading names; `null` if it is another heading.
 *
 * @param outer the level of the version in whose section it stands; `null`: none. Deeper headings such as `### Node 20.1` are not versions.
 */
export function versionIn(heading: string, level: number, outer: number | null): VersionHeading | null {
  const text = withoutMarks(heading);
  return /\bunreleased\b/i.test(text) ? null : releasedIn(text, level, outer);
}

function releasedIn(text: string, level: number, outer: number | null): VersionHeading | null {
  const isInner = outer !== null && level > outer;
  const found = leadingVersion(text) ?? versionAfterWord(text, isInner);
  if (found !== null && NO_SENTENCE.test(found.rest)) return { version: found.version, date: dateIn(found.rest) };
  return level === 2 && !isInner ? leadingNumber(text) : null;
}

function leadingNumber(text: string): VersionHeading | null {
  const [start = '', version] = ANY_NUMBER.exec(text) ?? [];
  return version === undefined ? null : { version, date: dateIn(text.slice(start.length)) };
}

interface FoundVersion {
  readonly version: string;
  readonly rest: string;
}

function leadingVersion(text: string): FoundVersion | null {
  const [token = ''] = TOKEN.exec(text) ?? [];
  const version = VERSION.exec(token)?.[1];
  return version === undefined ? null : { version, rest: text.slice(token.length) };
}

function versionAfterWord(text: string, isInner: boolean): FoundVersion | null {
  const [word = ''] = TOKEN.exec(text) ?? [];
  if (word === '' || (isInner && !WORDS.has(word.toLowerCase()))) return null;
  return leadingVersion(text.slice(word.length).replace(/^[\s:]+/, ''));
}

function withoutMarks(heading: string): string {
  return heading
    .slice(0, LONGEST)
    .replace(/<[^<>]*>/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replace(/[`*]+|\s#+\s*$/g, '')
    .trim();
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** A day comes before its month if points separate them. `05/14/2023` is not read, because its order is not known. */
const DATES: readonly (readonly [pattern: RegExp, order: readonly [year: number, month: number, day: number]])[] = [
  [/\b(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\b/, [1, 3, 4]],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/, [3, 2, 1]],
  [/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i, [3, 1, 2]],
  [/\b(\d{1,2})(?:st|nd|rd|th)?[ -](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?[ -](\d{4})\b/i, [3, 2, 1]],
];

/** The first date in a short text as `YYYY-MM-DD`; `''` without one. */
export function dateIn(text: string): string {
  for (const [pattern, [year, month, day]] of DATES) {
    const found = pattern.exec(text.slice(0, LONGEST).replaceAll('_', ' '));
    if (found !== null) return [found[year], twoDigits(monthNumber(found[month] ?? '')), twoDigits(found[day] ?? '')].join('-');
  }
  return '';
}

function monthNumber(text: string): string {
  const index = MONTHS.indexOf(text.slice(0, 3).toLowerCase());
  return index < 0 ? text : String(index + 1);
}

function twoDigits(text: string): string {
  return text.padStart(2, '0');
}
