import { ARTICLE_CHANGE_TYPES, type ArticleChange } from '@vitrine/core';
import { codeIn } from '../articles/markdown-text.js';
import { dateIn, versionIn, type VersionHeading } from './version-headings.js';

/** A released version in a changelog. All texts are Markdown. */
export interface ChangelogSection extends VersionHeading {
  readonly body: string;
  readonly changes: readonly ArticleChange[];
}

/** The addresses of versions at the end of the file. */
const ADDRESS = /^\[[^\]]*\]:\s/;
const HEADING = /^(#{1,6})\s+(\S.*)$/;
const UNDERLINE = /^(?:={3,}|-{3,})\s*$/;
const ITEM = /^(\s*)[-*+]\s+(?=\S)/;
/** A line below the heading that only says when. */
const DATE_LINE =
  /^[\W_]{0,5}(?:(?:released?|date|published)(?: on| date)?)?[\W_]{0,5}(?:\d[\d./-]{7,9}|\d{1,2}[ -][a-z]{3,9}[ -]\d{4}|[a-z]{3,9} \d{1,2}, \d{4})[\W_]{0,5}$/i;
/** An item that is indented by as much as this below another one belongs to it. */
const NESTED = 2;

interface OpenSection extends VersionHeading {
  readonly level: number;
  readonly lines: string[];
}

/** The released versions of a changelog: each heading that names one, at any level. What is not released yet is left out. */
export function changelogSections(markdown: string): readonly ChangelogSection[] {
  const sections: OpenSection[] = [];
  let open: OpenSection | null = null;
  for (const line of linesOf(markdown.split('\n'))) {
    const next: OpenSection | null | undefined = sectionAt(line, open);
    if (next === undefined) open?.lines.push(line.text);
    else open = next;
    if (next) sections.push(next);
  }
  return sections.map(sectionOf);
}

/** The section that begins with a line; `null`: the open one ends there; `undefined`: it goes on. */
function sectionAt({ text, heading }: Line, open: OpenSection | null): OpenSection | null | undefined {
  const found = heading === null ? null : versionIn(heading.text, heading.level, open?.level ?? null);
  if (heading !== null && found !== null) return { ...found, level: heading.level, lines: [] };
  return ADDRESS.test(text) || isEnd(heading, open) ? null : undefined;
}

interface Heading {
  readonly level: number;
  readonly text: string;
  /** It counts only if it names a version: there are many rules without a blank line before. */
  readonly isUnderlined: boolean;
}

interface Line {
  readonly text: string;
  /** `null` for other lines, and for code. */
  readonly heading: Heading | null;
}

function linesOf(lines: readonly string[]): readonly Line[] {
  const isCode = codeIn(lines);
  return lines.map((text, index) => ({ text, heading: isCode[index] === true ? null : headingIn(text, lines[index + 1] ?? '') }));
}

function headingIn(line: string, below: string): Heading | null {
  const [, marks, text = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, text, isUnderlined: false };
  if (!UNDERLINE.test(below) || !/^[\w[`*]/.test(line)) return null;
  return { level: below.startsWith('=') ? 1 : 2, text: line, isUnderlined: true };
}

function isEnd(heading: Heading | null, open: OpenSection | null): boolean {
  return heading !== null && !heading.isUnderlined && heading.level <= Math.max(open?.level ?? 0, 1);
}

function sectionOf({ version, date, lines }: OpenSection): ChangelogSection {
  const text = lines.filter((line, index) => index > 0 || !UNDERLINE.test(line));
  const first = text.findIndex((line) => line.trim() !== '');
  const below = DATE_LINE.test(text[first] ?? '') ? dateIn(text[first] ?? '') : '';
  const rest = below === '' ? text : text.slice(first + 1);
  return { version, date: date || below, body: rest.join('\n').trim(), changes: changesIn(rest) };
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
  const type = ARTICLE_CHANGE_TYPES.find((known) => known === name.trim().toLowerCase());
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
