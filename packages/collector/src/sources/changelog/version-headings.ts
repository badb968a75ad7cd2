import { isoDate } from '../web-text/web-address.js';

export interface VersionHeading {
  readonly version: string;
  /** What the heading says besides, such as the date. */
  readonly rest: string;
}

export interface OuterHeading {
  readonly level: number;
  readonly text: string;
}

const LONGEST = 500;

const FORMS = {
  /** `1.2.0`, `v1.2.0`, `v.1.2.0`, `widget@1.2.0`: a whole word. */
  word: /^(?:v\.?|[^\s,:()]{1,200}@v?)?(?<version>\d+\.\d[\w.+-]*)(?![^\s,:()])/i,
  /** `Widget Kit version 1.2.0 (2026-11-20)`, `widget-kit-1.2.0 - 2026-11-20`: more words may be before a version that only a date follows. */
  behindWords:
    /^(?![-–—])(?:[^\s\d]\S{0,100}\s{1,5}){0,5}?(?:[^\s\d]\S{0,100}[-/])?[^\p{L}\p{N}\s]{0,3}v?(?<version>\d+\.\d[\w.+-]*)[^\p{L}\p{N}\s([]?/iu,
  /** `2.0 The big one`, `3`: at the second level and at that of the version above. */
  anyNumber: /^(?:version )?v?(?<version>\d+(?:[.+-]\w[\w.+-]*)?)(?!\w)/i,
  /** `2.0.0 The big one`, at other levels. */
  threeNumbers: /^(?:version )?v?(?<version>\d+\.\d+\.\d[\w.+-]*)/i,
} as const;

const NAMES = {
  /** `Version 1.2.0`, `Release: 1.2.0`: also in the text of another version. */
  label: /^(?:version|ver\.|released?|rel\.)(?:(?![^\s,:()])|(?=-v?\d+\.\d))[\s:-]*/i,
  /** `Widget 1.2.0`, and `widget-kit-1.2.0`, as Maven names tags. `Changes since 1.2.0` are those of another version. */
  any: /^(?!(?:since|before|until|after|from|to|pre|prior|older|requires?)(?:(?![^\s,:()])|-v?\d+\.\d))(?:[a-z]\w*(?:-[a-z]\w*){0,9}(?=-v?\d+\.\d)|[^\s,:()]+(?![^\s,:()]))[\s:-]*/i,
  /** `2026-11-20, io.js Version 3.3.1 @ada` */
  behindDate: /^(?:\S{1,200} )?(?:version|release) (?=v?\d)/i,
} as const;

/** `2026.11.2` may be the second version of a month. */
const YEAR_AND_NUMBERS = /^\d{4}\./;
/** What may follow a version: nothing, or a date, a remark in brackets or behind a dash. `Node 18.0 support` is not a version. */
const NO_SENTENCE =
  /^\s*(?:(?:on|vom|du|del|от)\s)?(?:$|[-–—:()[/,|]|\d|released?\b|(?:alpha|beta|rc|release candidate)(?![a-z])|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d)/i;
/** `Changes for v1.2.0`, `What's new in Widget 1.2.0`, `Noteworthy changes in release 1.2.0`, `Overview of changes in Widget 1.2.0` */
const BEGINNING = /^(?:(?:noteworthy|notable|major|overview of) )?(?:changes|new|what['’]s new|release notes)(?: (?:for|in|of))? /i;
/** `Changes between 1.1.0 and 1.2.0` are those of the second version. */
const STEP = /^(?:between|from) (?:\S{1,200} )?v?\d\S{0,200} (?:and|to) /i;
/** A list of several versions, such as `1.x`. */
const SERIES = /\.[x*](?:\.|$)/i;
/** `2.0.0 RC 1`, `2.0.0 (beta 2)` */
const PRERELEASE = /^[-–(\s]{0,3}((?:alpha|beta|rc|release candidate)(?:[ .-]?\d+)?)(?=\s*(?:$|[-–—:()[\/,|?]|\d{4}))/i;
/** Between a date and a version, also with a time. */
const SEPARATOR = /^[\s,:;/|(–—-]+(?:\d{1,2}:\d{2}(?::\d{2})?[\s,–—-]+)?/;
/** Before a version, these words tell that it is another one, or that the heading is the title of the file. */
const ABOUT_OTHERS = /(?<!\p{L})(?:since|before|until|after|from|to|pre|prior|older|for|with|supports?|requires?|changes|change ?log)(?!\p{L})/iu;

/** What says that a version is not released yet, in the languages into which Keep a Changelog is often translated. */
const UNRELEASED = [
  /(?<!\p{L})(?:unreleased|unpublished|upcoming|development version|not (?:yet )?(?:released|published)|to be (?:released|announced|determined)|(?:in|under) development|tb[acd]|(?:nicht |un)veröffentlicht|non[ -]publiée?|sin (?:publicar|lanzar)|não (?:lançad|publicad)[oa]|non (?:rilasciat|pubblicat)[oa]|не (?:выпущено|опубликовано))(?!\p{L})/iu,
  /未(?:发布|發[布佈]|公開|リリース)|미(?:배포|출시|공개)/u,
  // Behind a mark or a number, because the words can be about something else, as in `1.2.0 - tasks in progress`.
  /(?<=(?:^|[-–—([:|\d])\s{0,2})(?:wip|coming soon|(?:work )?in[ -]progress|in (?:entwicklung|arbeit|sviluppo)|en (?:cours|desarrollo)|à venir|em desenvolvimento|в разработке)(?!\p{L})/iu,
  // Between a mark and the end.
  /(?<=^|[([]|[-–—:|]\s{1,2})(?:(?:in )?dev|next|head|master|pending|planned|draft|future|soon)(?=\s*(?:$|[)\]]))/iu,
  // `YYYY-MM-DD`, `2026-11-xx`, `??.??.2026`
  /(?<![\w.-])(?=\S{0,8}(?:yyyy|mm|dd|xx|\?\?))(?:[\dymdx?]{2,4}[-/.]){2}[\dymdx?]{2,4}(?![\w.])/i,
];

/** Deeper headings such as `### Node 20.1` are not versions, but `## Widget 1.1` below `# Widget 1.2` is. @param outer the version in whose section it stands */
export function versionIn(heading: string, level: number, outer: OuterHeading | null): VersionHeading | null {
  const text = withoutMarks(heading);
  const found = isUnreleased(text) ? null : releasedIn(text, level, outer);
  return found === null || SERIES.test(found.version) ? null : withPrerelease(found);
}

/** The version as it is complete, without a full stop of its sentence. */
function withPrerelease({ version, rest }: VersionHeading): VersionHeading {
  const number = version.replace(/(?<![.+-])[.+-]+$/, '');
  const [said = '', prerelease] = PRERELEASE.exec(rest) ?? [];
  return prerelease === undefined ? { version: number, rest } : { version: `${number} ${prerelease}`, rest: rest.slice(said.length) };
}

export function isUnreleased(heading: string): boolean {
  return UNRELEASED.some((pattern) => pattern.test(heading));
}

/** Whether a version without a date is being worked on, such as `1.2.0-SNAPSHOT`, `1.2.0.dev0` and, in R, `1.2.0.9000`. @param below the first line of its text */
export function isWorkedOn(version: string, below: string): boolean {
  return /[-.+](?:dev\d*|git|snapshot)$|^\d+\.\d+\.\d+\.90\d\d$/i.test(version) || onlySaysUnreleased(below);
}

/** `_Released: TBD_` */
function onlySaysUnreleased(line: string): boolean {
  const besides = [...UNRELEASED, /\breleased?\b|\bdate\b/gi].reduce((rest, pattern) => rest.replace(pattern, ''), line);
  return isUnreleased(line) && !/\p{L}/u.test(besides);
}

function releasedIn(text: string, level: number, outer: OuterHeading | null): VersionHeading | null {
  if (outer !== null && level > outer.level) return innerVersion(text, outer);
  const number = level === 2 || level === outer?.level ? FORMS.anyNumber : FORMS.threeNumbers;
  return versionBehindDate(text, NAMES.any, level === 2) ?? namedVersion(text) ?? leadingNumber(text, number);
}

function namedVersion(text: string): VersionHeading | null {
  const { behind } = withoutBeginning(text);
  return versionAtStart(behind, NAMES.any) ?? versionBeforeDate(behind);
}

function innerVersion(text: string, outer: OuterHeading): VersionHeading | null {
  const found = versionBehindDate(text, NAMES.label, false) ?? versionAtStart(text, NAMES.label);
  if (found !== null) return found;
  const { behind, isStep } = withoutBeginning(text);
  // A text about an update can have a heading such as `Changes from 1.0 to 2.0`, so this one is a version only with a date.
  const mayBeNamed = beginsAs(outer.text, text) || (isStep && dateIn(behind, null) !== '');
  return mayBeNamed ? versionAtStart(behind, NAMES.any) : null;
}

/** Whether a heading begins with the name before the version of another one. */
function beginsAs(outer: string, text: string): boolean {
  const [name] = /^[^\d]{0,200}\p{L}{2}[^\d]{0,50}(?=\d)/u.exec(withoutMarks(outer)) ?? [];
  return name !== undefined && text.startsWith(name);
}

function withoutBeginning(text: string): { readonly behind: string; readonly isStep: boolean } {
  const own = text.replace(BEGINNING, '');
  if (own === text) return { behind: text, isStep: false };
  return { behind: own.replace(STEP, '').replace(/(?: final)?\?$/i, ''), isStep: STEP.test(own) };
}

function versionOf(form: RegExp, text: string): VersionHeading | null {
  const found = form.exec(text);
  const version = found?.groups?.['version'];
  return found === null || version === undefined ? null : { version, rest: text.slice(found[0].length) };
}

function versionAtStart(text: string, name: RegExp): VersionHeading | null {
  const found = versionOf(FORMS.word, text) ?? versionOf(FORMS.word, text.replace(name, ''));
  return found !== null && NO_SENTENCE.test(found.rest) ? found : null;
}

function versionBeforeDate(text: string): VersionHeading | null {
  const found = versionOf(FORMS.behindWords, text);
  if (found === null || !NO_SENTENCE.test(found.rest) || dateIn(found.rest, true) === '') return null;
  // Not the first place of the version in the text: the name before it can hold the same number.
  return ABOUT_OTHERS.test(text.slice(0, -(found.version.length + found.rest.length))) ? null : found;
}

function leadingNumber(text: string, form: RegExp): VersionHeading | null {
  const found = versionOf(form, text);
  return found !== null && (/\D/.test(found.version) || NO_SENTENCE.test(found.rest)) ? found : null;
}

/** `2026-11-20, Version 1.2.0`. At the second level, the date alone is the version, too. */
function versionBehindDate(text: string, name: RegExp, mayBeAlone: boolean): VersionHeading | null {
  const date = leadingDate(text);
  const behind = text.slice(date.length).replace(SEPARATOR, '');
  if (date === '' || dateIn(behind, null) !== '') return null;
  const found = (name === NAMES.any ? versionOf(FORMS.word, behind.replace(NAMES.behindDate, '')) : null) ?? versionAtStart(behind, name);
  if (found !== null) return { version: found.version, rest: text };
  return mayBeAlone && !YEAR_AND_NUMBERS.test(date) ? { version: date, rest: text } : null;
}

function leadingDate(text: string): string {
  const dates = patternsFor(text, null).flatMap((pattern) => [...text.matchAll(pattern)]);
  return dates.find(({ index }) => index === 0)?.[0] ?? '';
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

/** Dates in which the order of day and month is known. */
const DATES: readonly RegExp[] = [
  /\b(?<year>\d{4})(?<mark>[-/.‐‑–])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?<time>T\d[\d:.Z+-]*)?\b/g,
  /\b(?<year>\d{4})年 ?(?<month>\d{1,2})月 ?(?<day>\d{1,2})日/g,
  /\b(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})\b/g,
  /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})\b/gi,
  /\b(?<day>\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -](?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,?[ -](?<year>\d{4})\b/gi,
];
/** `05/11/2026` and `05-11-2026`: their order is not known without others. */
const DAY_FIRST = /\b(?<day>\d{1,2})(?<mark>[-/])(?<month>\d{1,2})\k<mark>(?<year>\d{4})\b/g;
const MONTH_FIRST = /\b(?<month>\d{1,2})(?<mark>[-/])(?<day>\d{1,2})\k<mark>(?<year>\d{4})\b/g;
const MONTHS_OF_YEAR = 12;

/** Whether the day comes first in dates such as `05/11/2026` of a text, because one of them has a day after the 12th. `null`: none has, or the order differs. */
export function isDayFirst(text: string): boolean | null {
  const dates = [...text.matchAll(DAY_FIRST)].map(({ groups }) => groups);
  const isFirst = dates.some((date) => Number(date?.['day']) > MONTHS_OF_YEAR);
  const isSecond = dates.some((date) => Number(date?.['month']) > MONTHS_OF_YEAR);
  return isFirst === isSecond ? null : isFirst;
}

/** Most headings of a long file have no year, so no pattern is tried. */
function patternsFor(text: string, order: boolean | null): readonly RegExp[] {
  if (!/\d{4}/.test(text)) return [];
  return order === null ? DATES : [...DATES, order ? DAY_FIRST : MONTH_FIRST];
}

/** The first date in a short text as `YYYY-MM-DD`, with its time as it is written; `''` without one. @param order as {@link isDayFirst} says */
export function dateIn(text: string, order: boolean | null): string {
  const short = text.slice(0, LONGEST).replaceAll('_', ' ');
  for (const pattern of patternsFor(short, order)) {
    const [found] = short.matchAll(pattern);
    const { year, month, day, time = '' } = found?.groups ?? {};
    if (year !== undefined) return isoDate(year, month, day) + time;
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
  if (date === '') return '';
  const besides = patternsFor(text, order).reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  return ABOUT_DATE.test(besides) ? date : '';
}

/** `Released on 2026-11-20. See the milestone.` */
const RELEASED_ON = /^[\W_]{0,3}(?:released|published) on [\w ,./-]{6,40}?(?=[.;]\s| as )/i;

/** The date below a heading, and whether its line says nothing else. */
export function dateBelow(line: string, order: boolean | null): { readonly date: string; readonly isWhole: boolean } {
  const date = dateOfLine(line, order);
  return date === '' ? { date: dateOfLine(RELEASED_ON.exec(line)?.[0] ?? '', order), isWhole: false } : { date, isWhole: true };
}
