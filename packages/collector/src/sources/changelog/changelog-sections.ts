import { ARTICLE_CHANGE_TYPES, type ArticleChange } from '@vitrine/core';
import { codeIn } from '../articles/markdown-code.js';
import { dateBelow, dateIn, isDayFirst, isUnreleased, isWorkedOn, versionIn, type OuterHeading, type VersionHeading } from './version-headings.js';

/** A released version in a changelog. All texts are Markdown. */
export interface ChangelogSection {
  readonly version: string;
  /** `YYYY-MM-DD`, and the time if one follows; `''` without one that can be read. */
  readonly date: string;
  /** It was withdrawn, as Keep a Changelog calls it. */
  readonly isYanked: boolean;
  readonly body: string;
  readonly changes: readonly ArticleChange[];
}

/** The address of a reference such as `[2.1.0]` or `[#12]`. */
const ADDRESS = /^ {0,3}\[([^[\]]{1,500})\]:\s+\S+(?:\s+["'(].*|\s*)$/;
/** Hostile texts use a long address in every version: in all, addresses may add this many times the length of the file. */
const MOST_GROWTH = 4;
const REFERENCE = /\[([^[\]]{1,500})\]/g;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
/** `**1.2.0** (2026-11-20)`, also if a star is missing at its end. */
const BOLD = /^\*\*(v?\d+\.\d[^*]*)\*{1,2}(.*)$/i;
const BOLD_LEVEL = 3;
/** A heading of the level of a version that does not belong to it. Others do: many programs write groups such as `### Bug Fixes` at the level of the version. */
const OTHER_PART = /\b(?:change ?log|history|versions?|releases?|licen[cs]e)\b|^(?:next|head|main|master|v?\d[\d.]*\.x)$/i;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;
/** What often is between two versions: `<a name="1.2.0"></a>`, which belongs to the next one, and rules. */
const BETWEEN = /^(?:<a (?:id|name)=[^<>]{1,200}>(?:<\/a>)?|[-*_](?: ?[-*_]){2,200})?$/i;
const ITEM = /^(\s*)[-*+]\s+(?=\S)/;
/** An item that is indented by as much as this below another one belongs to it. */
const NESTED = 2;

interface OpenSection extends VersionHeading, OuterHeading {
  readonly lines: string[];
}

/** The released versions of a changelog: each heading that names one, at any level. What is not released yet is left out. */
export function changelogSections(markdown: string): readonly ChangelogSection[] {
  const sections: OpenSection[] = [];
  const addresses = new Map<string, string>();
  let open: OpenSection | null = null;
  for (const line of linesOf(markdown.split('\n'))) {
    const next: OpenSection | null | undefined = sectionAt(line, open);
    if (line.reference !== null) addresses.set(line.reference, addresses.get(line.reference) ?? line.text);
    else if (next === undefined) open?.lines.push(line.text);
    else open = next;
    if (next) sections.push(next);
  }
  const order = isDayFirst(markdown);
  let left = MOST_GROWTH * markdown.length;
  return sections
    .map((section) => sectionOf(section, order))
    .filter((section, index, all) => isReleased(section) && !(isDeeper(sections, index + 1) && isSeriesOf(section, all[index + 1])))
    .map((found) => {
      const used = addressesFor(found.body, addresses);
      left -= used.length;
      return left < 0 ? found : { ...found, body: found.body + used };
    });
}

function isReleased({ version, date, body }: ChangelogSection): boolean {
  return date !== '' || !isWorkedOn(version, body.split('\n', 1)[0] ?? '');
}

function isDeeper(sections: readonly OpenSection[], index: number): boolean {
  return (sections[index]?.level ?? 0) > (sections[index - 1]?.level ?? 0);
}

/** `## Widget 3.0` without a date above `### 3.0.2 - 2026-11-20` is about several versions. */
function isSeriesOf({ version, date }: ChangelogSection, first: ChangelogSection | undefined): boolean {
  return date === '' && first !== undefined && first.date !== '' && first.version !== version && first.version.startsWith(version);
}

/** The section that begins with a line; `null`: the open one ends there; `undefined`: it goes on. */
function sectionAt({ heading }: Line, open: OpenSection | null): OpenSection | null | undefined {
  const found = heading === null ? null : versionIn(heading.text, heading.level, open);
  if (heading !== null && found !== null) return { ...found, level: heading.level, text: heading.text, lines: [] };
  return isEnd(heading, open) ? null : undefined;
}

interface Heading extends OuterHeading {
  /** It counts only if it names a version: there are many bold lines, and rules without a blank line before. */
  readonly needsVersion: boolean;
}

interface Line {
  readonly text: string;
  /** `null` for other lines, and for code and comments. */
  readonly heading: Heading | null;
  /** The reference whose address the line says, in lower case; `null` for other lines, and for code. */
  readonly reference: string | null;
}

function linesOf(lines: readonly string[]): readonly Line[] {
  const isCode = codeIn(lines);
  let isComment = false;
  return lines.map((text, index) => {
    if (isCode[index] === true) return { text, heading: null, reference: null };
    const isInComment = isComment;
    isComment = isComment ? !text.includes('-->') : beginsComment(text);
    return {
      text,
      heading: isInComment ? null : headingIn(text, lines[index + 1] ?? ''),
      reference: ADDRESS.exec(text)?.[1]?.toLowerCase() ?? null,
    };
  });
}

/** Within a line, as in `` `<!--` ``, the text is about comments. */
function beginsComment(line: string): boolean {
  return /^ {0,3}<!--/.test(line) && line.lastIndexOf('<!--') > line.lastIndexOf('-->');
}

function headingIn(line: string, below: string): Heading | null {
  const [, marks, text = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, text, needsVersion: false };
  if (BOLD.test(line)) return { level: BOLD_LEVEL, text: line, needsVersion: true };
  if (!UNDERLINE.test(below) || !/^ {0,3}[\p{L}\p{N}_[`*]/u.test(line)) return null;
  return { level: below.includes('=') ? 1 : 2, text: line, needsVersion: true };
}

function isEnd(heading: Heading | null, open: OpenSection | null): boolean {
  if (heading === null || heading.needsVersion) return false;
  const level = Math.max(open?.level ?? 0, 1);
  return heading.level < level || (heading.level === level && isOtherPart(heading));
}

function isOtherPart({ level, text }: Heading): boolean {
  return level === 1 || OTHER_PART.test(text) || isUnreleased(text);
}

function sectionOf({ version, rest, lines }: OpenSection, order: boolean | null): ChangelogSection {
  const text = lines.filter((line, index) => index > 0 || !UNDERLINE.test(line));
  const first = text.findIndex((line) => line.trim() !== '');
  const below = dateBelow(text[first] ?? '', order);
  const shown = below.isWhole ? text.slice(first + 1) : text;
  return {
    version,
    date: dateIn(rest, order) || below.date,
    isYanked: /\byanked\b/i.test(rest),
    body: shown
      .slice(0, shown.findLastIndex((line) => !BETWEEN.test(line.trim())) + 1)
      .join('\n')
      .trim(),
    changes: changesIn(shown),
  };
}

/** The addresses of the references in a text, which may be anywhere in the file, after a blank line. */
function addressesFor(text: string, addresses: ReadonlyMap<string, string>): string {
  const references = new Set([...text.matchAll(REFERENCE)].map(([, reference = '']) => reference.toLowerCase()));
  const found = [...references].flatMap((reference) => addresses.get(reference) ?? []);
  return found.length === 0 ? '' : `\n\n${found.join('\n')}`;
}

/** The changes in the notes of one release. */
export function changesInNotes(markdown: string): readonly ArticleChange[] {
  return changesIn(markdown.split('\n'));
}

interface Group {
  readonly type: ArticleChange['type'];
  readonly level: number;
  readonly lines: string[];
}

/** The groups of Keep a Changelog, and those of programs that write a changelog from conventional commits. */
const GROUPS: ReadonlyMap<string, ArticleChange['type']> = new Map([
  ...ARTICLE_CHANGE_TYPES.map((type) => [type, type] as const),
  ['features', 'added'],
  ['new features', 'added'],
  ['bug fixes', 'fixed'],
  ['fixes', 'fixed'],
  ['breaking changes', 'changed'],
  ['performance improvements', 'changed'],
]);
/** `⚠ BREAKING CHANGES`, `:bug: Bug Fixes`, `Added:` */
const AROUND_NAME = /^(?::\w{1,50}:|[^\p{L}\p{N}])+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** `Added (3 changes)` of GitLab */
const COUNT = /\s\(\d{1,9} changes?\)$/;

/** The items of groups such as `### Added`, at any level. A heading inside a group belongs to it. */
function changesIn(lines: readonly string[]): readonly ArticleChange[] {
  const groups: Group[] = [];
  let open: Group | null = null;
  const isCode = codeIn(lines);
  for (const line of lines.filter((_, index) => isCode[index] !== true)) {
    const next: Group | null | undefined = groupAt(line, open);
    if (next === undefined) open?.lines.push(line);
    else open = next;
    if (next) groups.push(next);
  }
  return groups.flatMap(({ type, lines: own }) => itemsIn(own).map((item) => ({ type, text: textOf(item) })));
}

/** The group that begins with a line; `null`: the open one ends there; `undefined`: it goes on. */
function groupAt(line: string, open: Group | null): Group | null | undefined {
  const [, marks = '', name = ''] = HEADING.exec(line) ?? [];
  if (marks === '') return undefined;
  const type = GROUPS.get(name.trim().toLowerCase().replace(COUNT, '').replace(AROUND_NAME, ''));
  if (type !== undefined) return { type, level: marks.length, lines: [] };
  return open !== null && marks.length > open.level ? undefined : null;
}

interface Item {
  readonly indent: number;
  readonly first: string[];
  readonly inner: string[];
  isAtEnd: boolean;
}

/** The items of the outer list, each with the items inside it. */
function itemsIn(lines: readonly string[]): readonly Item[] {
  const items: Item[] = [];
  for (const line of lines) {
    const [mark = '', blanks = ''] = ITEM.exec(line) ?? [];
    if (mark !== '') addItem(items, indentOf(blanks), line.slice(mark.length).trim());
    else continueItem(items.at(-1), line);
  }
  return items;
}

function addItem(items: Item[], indent: number, text: string): void {
  const outer = items.at(-1);
  if (outer === undefined || indent < outer.indent + NESTED) items.push({ indent, first: [text], inner: [], isAtEnd: false });
  else {
    outer.inner.push(text);
    outer.isAtEnd = false;
  }
}

/** Adds a line to the paragraph that an item begins with, which ends with a line that is blank or not indented. */
function continueItem(item: Item | undefined, line: string): void {
  if (item === undefined || item.isAtEnd) return;
  if (!/^\s+\S/.test(line)) item.isAtEnd = true;
  else if (item.inner.length === 0) item.first.push(line.trim());
  else item.inner.push(`${item.inner.pop() ?? ''} ${line.trim()}`);
}

function indentOf(blanks: string): number {
  return blanks.replaceAll('\t', '    ').length;
}

/** The first paragraph of an item in one line, and those of the items inside it. */
function textOf({ first, inner }: Item): string {
  const text = first.join(' ');
  return inner.length === 0 ? text : `${text.replace(/:$/, '')}: ${inner.join('; ')}`;
}
