import { isoDate } from '../web-text/web-address.js';

/** A heading of a released version. */
export interface VersionHeading {
  readonly version: string;
  /** What the heading says besides, such as the date. */
  readonly rest: string;
}

/** A heading, with its Markdown. */
export interface OuterHeading {
  readonly level: number;
  readonly text: string;
}

/** No heading of a version is longer. */
const LONGEST = 500;
/** `1.2.0`, `v1.2.0`, `v.1.2.0`, `widget@1.2.0` */
const VERSION = /^(?:v\.?|\S{1,200}@v?)?(\d+\.\d[\w.+-]*)$/i;
const TOKEN = /^[^\s,:()]+/;
/** `widget-kit-1.2.0`, as Maven names tags */
const JOINED_NAME = /^[a-z]\w*(?:-[a-z]\w*){0,9}(?=-v?\d+\.\d)/i;
/** At the second level and at that of the version above, `2.0 The big one` and `3` are versions, too. At other levels, there must be three numbers. */
const ANY_NUMBER = /^v?(\d+(?:[.+-]\w[\w.+-]*)?)(?!\w)/i;
const THREE_NUMBERS = /^v?(\d+\.\d+\.\d[\w.+-]*)/i;
/** `2026.11.2` may be the second version of a month. */
const YEAR_AND_NUMBERS = /^\d{4}\./;
/** What may follow a version: nothing, or a date, a remark in brackets or behind a dash. `Node 18.0 support` is not a version. */
const NO_SENTENCE =
  /^\s*(?:(?:on|vom|du|del|от)\s)?(?:$|[-–—:()[/,|]|\d|released?\b|(?:alpha|beta|rc|release candidate)(?![a-z])|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d)/i;
/** `Changes for v1.2.0`, `What's new in Widget 1.2.0`, `Noteworthy changes in release 1.2.0`, `Overview of changes in Widget 1.2.0` */
const BEGINNING = /^(?:(?:noteworthy|notable|major|overview of) )?(?:changes|new|what['’]s new|release notes)(?: (?:for|in|of))? /i;
/** `Changes between 1.1.0 and 1.2.0` are those of the second version. */
const STEP = /^(?:between|from) (?:\S{1,200} )?v?\d\S{0,200} (?:and|to) /i;
/** `Widget Kit version 1.2.0 (2026-11-20)`, `widget-kit-1.2.0 - 2026-11-20`: more words may be before a version that only a date follows. */
const NAMED = /^(?![-–—])(?:[^\s\d]\S{0,100}\s{1,5}){0,5}?(?:[^\s\d]\S{0,100}[-/])?[^\p{L}\p{N}\s]{0,3}v?(\d+\.\d[\w.+-]*)[^\p{L}\p{N}\s([]?/iu;
/** A list of several versions, such as `1.x`. */
const SERIES = /\.[x*](?:\.|$)/i;
/** `2.0.0 RC 1`, `2.0.0 (beta 2)` */
const PRERELEASE = /^[-–(\s]{0,3}((?:alpha|beta|rc|release candidate)(?:[ .-]?\d+)?)(?=\s*(?:$|[-–—:()[\/,|?]|\d{4}))/i;
/** Between a date and a version, also with a time. */
const SEPARATOR = /^[\s,:;/|(–—-]+(?:\d{1,2}:\d{2}(?::\d{2})?[\s,–—-]+)?/;
/** Behind a date, `io.js Version 3.3.1 @ada` is a version, too. */
const VERSION_WORD = /^(?:\S{1,200} )?(?:version|release) (?=v?\d)/i;
/** The words of the second part can be about something else, as in `1.2.0 - tasks in progress`, so they count behind a mark or a number. */
const UNRELEASED =
  /(?<!\p{L})(?:unreleased|unpublished|upcoming|development version|not (?:yet )?(?:released|published)|to be (?:released|announced|determined)|(?:in|under) development|tb[acd]|(?:nicht |un)veröffentlicht|non[ -]publiée?|sin (?:publicar|lanzar)|não (?:lançad|publicad)[oa]|non (?:rilasciat|pubblicat)[oa]|не (?:выпущено|опубликовано))(?!\p{L})|(?<=(?:^|[-–—([:|\d])\s{0,2})(?:wip|coming soon|(?:work )?in[ -]progress|in (?:entwicklung|arbeit|sviluppo)|en (?:cours|desarrollo)|à venir|em desenvolvimento|в разработке)(?!\p{L})|(?<=^|[([]|[-–—:|]\s{1,2})(?:(?:in )?dev|next|head|master|pending|planned|draft|future|soon)(?=\s*(?:$|[)\]]))|未(?:发布|發[布佈]|公開|リリース)|미(?:배포|출시|공개)/iu;
/** `YYYY-MM-DD`, `2026-11-xx`, `??.??.2026` */
const NO_DATE = /(?<![\w.-])(?=\S{0,8}(?:yyyy|mm|dd|xx|\?\?))(?:[\dymdx?]{2,4}[-/.]){2}[\dymdx?]{2,4}(?![\w.])/i;
/** `Changes since 1.2.0` are those of another version. */
const NO_NAMES = /^(?:since|before|until|after|from|to|pre|prior|older|requires?)$/i;
/** Before a version, these words tell that it is another one, or that the heading is the title of the file. */
const ABOUT_OTHERS = /(?<!\p{L})(?:since|before|until|after|from|to|pre|prior|older|for|with|supports?|requires?|changes|change ?log)(?!\p{L})/iu;
const WORDS = new Set(['version', 'ver.', 'release', 'released', 'rel.']);

/**
 * The version that a heading names; `null` if it is another heading.
 *
 * @param outer the version in whose section it stands; `null`: none. Deeper headings such as `### Node 20.1` are not versions, but `## Widget 1.1` below `# Widget 1.2` is.
 */
export function versionIn(heading: string, level: number, outer: OuterHeading | null): VersionHeading | null {
  const text = withoutMarks(heading);
  const found = isUnreleased(text) ? null : releasedIn(text, level, outer);
  return found === null || SERIES.test(found.version) ? null : withPrerelease(found);
}

function siblingIn(text: string, outer: string): VersionHeading | null {
  const [name] = /^[^\d]{0,200}\p{L}{2}[^\d]{0,50}(?=\d)/u.exec(withoutMarks(outer)) ?? [];
  return name !== undefined && text.startsWith(name) ? versionAtStart(withoutBeginning(text).behind, false) : null;
}

/** The version as it is complete, without a full stop of its sentence. */
function withPrerelease({ version, rest }: VersionHeading): VersionHeading {
  const number = version.replace(/(?<![.+-])[.+-]+$/, '');
  const [said = '', prerelease] = PRERELEASE.exec(rest) ?? [];
  return prerelease === undefined ? { version: number, rest } : { version: `${number} ${prerelease}`, rest: rest.slice(said.length) };
}

/** Whether a heading says that its version is not released yet, in one of the languages into which Keep a Changelog is often translated. */
export function isUnreleased(heading: string): boolean {
  return UNRELEASED.test(heading) || NO_DATE.test(heading);
}

/** Whether a version without a date is being worked on, such as `1.2.0-SNAPSHOT`, `1.2.0.dev0` and, in R, `1.2.0.9000`. @param below the first line of its text */
export function isWorkedOn(version: string, below: string): boolean {
  return /[-.+](?:dev\d*|git|snapshot)$|^\d+\.\d+\.\d+\.90\d\d$/i.test(version) || onlySaysUnreleased(below);
}

/** `_Released: TBD_` */
function onlySaysUnreleased(line: string): boolean {
  const besides = [UNRELEASED, NO_DATE, /\breleased?\b|\bdate\b/gi].reduce((rest, pattern) => rest.replace(pattern, ''), line);
  return isUnreleased(line) && !/\p{L}/u.test(besides);
}

function releasedIn(text: string, level: number, outer: OuterHeading | null): VersionHeading | null {
  if (outer !== null && level > outer.level) return innerVersion(text) ?? siblingIn(text, outer.text);
  const number = level === 2 || level === outer?.level ? ANY_NUMBER : THREE_NUMBERS;
  return versionBehindDate(text, false, level === 2) ?? ownVersion(text, number);
}

function ownVersion(text: string, number: RegExp): VersionHeading | null {
  const { behind } = withoutBeginning(text);
  return versionAtStart(behind, false) ?? versionBeforeDate(behind) ?? leadingNumber(text.replace(/^version /i, ''), number);
}

/** A text about an update can have a heading such as `Changes from 1.0 to 2.0`, so this one is a version only with a date. */
function innerVersion(text: string): VersionHeading | null {
  const { behind, isStep } = withoutBeginning(text);
  if (isStep && dateIn(behind, null) !== '') return versionAtStart(behind, false);
  return versionBehindDate(text, true, false) ?? versionAtStart(text, true);
}

function withoutBeginning(text: string): { readonly behind: string; readonly isStep: boolean } {
  const own = text.replace(BEGINNING, '');
  if (own === text) return { behind: text, isStep: false };
  return { behind: own.replace(STEP, '').replace(/(?: final)?\?$/i, ''), isStep: STEP.test(own) };
}

function leadingNumber(text: string, pattern: RegExp): VersionHeading | null {
  const [start = '', version] = pattern.exec(text) ?? [];
  const isNumber = version !== undefined && /^\d+$/.test(version);
  if (version === undefined || (isNumber && !NO_SENTENCE.test(text.slice(start.length)))) return null;
  return { version, rest: text.slice(start.length) };
}

/** `2026-11-20, Version 1.2.0`. At the second level, the date alone is the version, too. */
function versionBehindDate(text: string, isInner: boolean, mayBeAlone: boolean): VersionHeading | null {
  const date = leadingDate(text);
  const behind = text.slice(date.length).replace(SEPARATOR, '');
  if (date === '' || dateIn(behind, null) !== '') return null;
  const found = (isInner ? null : leadingVersion(behind.replace(VERSION_WORD, ''))) ?? versionAtStart(behind, isInner);
  if (found !== null) return { version: found.version, rest: text };
  return mayBeAlone && !YEAR_AND_NUMBERS.test(date) ? { version: date, rest: text } : null;
}

/** The date with which a text begins, as it is written; `''` without one. */
function leadingDate(text: string): string {
  const dates = datesFor(text).flatMap(([pattern]) => [...text.matchAll(pattern)]);
  return dates.find(({ index }) => index === 0)?.[0] ?? '';
}

function versionAtStart(text: string, isInner: boolean): VersionHeading | null {
  const found = leadingVersion(text) ?? versionAfterWord(text, isInner);
  return found !== null && NO_SENTENCE.test(found.rest) ? found : null;
}

function versionBeforeDate(text: string): VersionHeading | null {
  const [start = '', version] = NAMED.exec(text) ?? [];
  const rest = text.slice(start.length);
  const isNamed = version !== undefined && NO_SENTENCE.test(rest) && dateIn(rest, true) !== '';
  return isNamed && !ABOUT_OTHERS.test(start.slice(0, -version.length)) ? { version, rest } : null;
}

function leadingVersion(text: string): VersionHeading | null {
  const [token = ''] = TOKEN.exec(text) ?? [];
  const version = VERSION.exec(token)?.[1];
  return version === undefined ? null : { version, rest: text.slice(token.length) };
}

function versionAfterWord(text: string, isInner: boolean): VersionHeading | null {
  const [word = ''] = JOINED_NAME.exec(text) ?? TOKEN.exec(text) ?? [];
  if (word === '' || NO_NAMES.test(word) || (isInner && !WORDS.has(word.toLowerCase()))) return null;
  return leadingVersion(text.slice(word.length).replace(/^[\s:-]+/, ''));
}

function withoutMarks(heading: string): string {
  return heading
    .slice(0, LONGEST)
    .replace(/\\([[\]().*_`-])/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replace(/[`*~]+|\s#+\s*$|(?<!\w)_{1,3}|_{1,3}(?!\w)/g, '')
    .trim();
}

/** A day comes before its month if points separate them. The fifth group is the time of an ISO date. */
const DATES: readonly (readonly [pattern: RegExp, order: readonly [year: number, month: number, day: number]])[] = [
  [/\b(\d{4})([-/.‐‑–])(\d{1,2})\2(\d{1,2})(T\d[\d:.Z+-]*)?\b/g, [1, 3, 4]],
  [/\b(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})日/g, [1, 2, 3]],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, [3, 2, 1]],
  [/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/gi, [3, 1, 2]],
  [/\b(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?[ -](\d{4})\b/gi, [3, 2, 1]],
];

/** Most headings of a long file have no year, so no pattern is tried. */
function datesFor(text: string): typeof DATES {
  return /\d{4}/.test(text) ? DATES : [];
}

/** `05/11/2026` and `05-11-2026`: their order is not known without others. */
const NUMBERS = /\b(\d{1,2})([-/])(\d{1,2})\2(\d{4})\b/g;
const MONTHS_OF_YEAR = 12;

/** Whether the day comes first in dates such as `05/11/2026` of a text, because one of them has a day after the 12th. `null`: none has, or the order differs. */
export function isDayFirst(text: string): boolean | null {
  const dates = [...text.matchAll(NUMBERS)];
  const [isFirst, isSecond] = [1, 3].map((place) => dates.some((numbers) => Number(numbers[place]) > MONTHS_OF_YEAR));
  return isFirst === isSecond ? null : isFirst === true;
}

type DatePattern = (typeof DATES)[number];

function patternsFor(text: string, order: boolean | null): readonly DatePattern[] {
  return order === null ? datesFor(text) : [...datesFor(text), [NUMBERS, order ? [4, 3, 1] : [4, 1, 3]]];
}

/** The first date in a short text as `YYYY-MM-DD`, with its time as it is written; `''` without one. @param order as {@link isDayFirst} says */
export function dateIn(text: string, order: boolean | null): string {
  for (const [pattern, [year, month, day]] of patternsFor(text, order)) {
    const [found] = text.slice(0, LONGEST).replaceAll('_', ' ').matchAll(pattern);
    if (found !== undefined) return isoDate(found[year], found[month], found[day]) + (found[5] ?? '');
  }
  return '';
}

/** What a line that only says when has besides the date. */
const ABOUT_DATE =
  /^(?:[\W\d]|released?|date|published|on|the|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|gmt|utc|[pmce][sd]?t)*$/i;
const LONGEST_DATE_LINE = 100;

/** The date of a line below a heading that only says when; `''` for other lines. */
function dateOfLine(line: string, order: boolean | null): string {
  const text = line.replaceAll('_', ' ');
  const date = line.length > LONGEST_DATE_LINE ? '' : dateIn(text, order);
  const besides = patternsFor(text, order).reduce((rest, [pattern]) => rest.replace(pattern, ' '), text);
  return date !== '' && ABOUT_DATE.test(besides) ? date : '';
}

/** `Released on 2026-11-20. See the milestone.` */
const RELEASED_ON = /^[\W_]{0,3}(?:released|published) on [\w ,./-]{6,40}?(?=[.;]\s| as )/i;

/** The date below a heading, and whether its line says nothing else. */
export function dateBelow(line: string, order: boolean | null): { readonly date: string; readonly isWhole: boolean } {
  const date = dateOfLine(line, order);
  return date === '' ? { date: dateOfLine(RELEASED_ON.exec(line)?.[0] ?? '', order), isWhole: false } : { date, isWhole: true };
}
