import { ARTICLE_CHANGE_TYPES, type ArticleChange } from '@vitrine/core';
import { codeIn } from '../articles/markdown-code.js';
import { dateBelow, dateIn, isDayFirst, isUnreleased, isWorkedOn, versionIn, type OuterHeading, type VersionHeading } from './version-headings.js';

/** A released version in a changelog. All texts are Markdown. */
export interface ChangelogSection {
  readonly version: string;
  /** `YYYY-MM-DD`, and the time if one follows; `''` without one that can be read. */
  readonly date: string;
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

interface SectionStart extends VersionHeading, OuterHeading {}

/** The released versions of a changelog: each heading that names one, at any level. What is not released yet is left out. */
export function changelogSections(markdown: string): readonly ChangelogSection[] {
  const lines = linesOf(markdown);
  const addresses = new Map(lines.flatMap(({ reference, text }) => (reference === null ? [] : [[reference, text] as const])).reverse());
  const order = isDayFirst(markdown);
  const sections = partsOf(
    lines.filter(({ reference }) => reference === null),
    sectionAt,
  ).map((part) => sectionOf(part, order));
  let left = MOST_GROWTH * markdown.length;
  return sections
    .filter((section, index) => isReleased(section) && !isSeriesOf(section, sections[index + 1]))
    .map((section) => {
      const used = addressesFor(section.body, addresses);
      left -= used.length;
      return left < 0 ? section : { ...section, body: section.body + used };
    });
}

type LeveledSection = ChangelogSection & Pick<OuterHeading, 'level'>;

function isReleased({ version, date, body }: ChangelogSection): boolean {
  return date !== '' || !isWorkedOn(version, body.split('\n', 1)[0] ?? '');
}

/** `## Widget 3.0` without a date above `### 3.0.2 - 2026-11-20` is about several versions. */
function isSeriesOf({ version, date, level }: LeveledSection, next: LeveledSection | undefined): boolean {
  if (next === undefined || next.level <= level) return false;
  return date === '' && next.date !== '' && next.version !== version && next.version.startsWith(version);
}

interface Heading extends OuterHeading {
  /** It counts only if it names a version: there are many bold lines, and rules without a blank line before. */
  readonly needsVersion: boolean;
}

interface Line {
  readonly text: string;
  readonly isHidden: boolean;
  readonly heading: Heading | null;
  readonly reference: string | null;
}

function linesOf(markdown: string): readonly Line[] {
  const lines = markdown.split('\n');
  const isCode = codeIn(lines);
  let isComment = false;
  return lines.map((text, index) => {
    if (isCode[index] === true) return { text, isHidden: true, heading: null, reference: null };
    const isHidden = isComment;
    isComment = isComment ? !text.includes('-->') : beginsComment(text);
    const heading = isHidden ? null : headingIn(text, lines[index + 1] ?? '');
    return { text, isHidden, heading, reference: ADDRESS.exec(text)?.[1]?.toLowerCase() ?? null };
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

type Part<Start> = Start & { readonly lines: Line[] };

/** The parts of a text that begin with a heading. @param begin what begins with a line; `null`: the open part ends there; `undefined`: it goes on */
function partsOf<Start>(lines: readonly Line[], begin: (heading: Heading, open: Start | null) => Start | null | undefined): readonly Part<Start>[] {
  const parts: Part<Start>[] = [];
  let open: Part<Start> | null = null;
  for (const line of lines) {
    const next: Start | null | undefined = line.heading === null ? undefined : begin(line.heading, open);
    if (next === undefined) open?.lines.push(line);
    else open = next === null ? null : { ...next, lines: [] };
    if (next && open !== null) parts.push(open);
  }
  return parts;
}

function sectionAt({ level, text, needsVersion }: Heading, open: SectionStart | null): SectionStart | null | undefined {
  const found = versionIn(text, level, open);
  if (found !== null) return { ...found, level, text };
  const own = Math.max(open?.level ?? 0, 1);
  const isEnd = level < own || (level === own && isOtherPart(level, text));
  return isEnd && !needsVersion ? null : undefined;
}

function isOtherPart(level: number, text: string): boolean {
  return level === 1 || OTHER_PART.test(text) || isUnreleased(text);
}

function sectionOf({ version, rest, level, lines }: Part<SectionStart>, order: boolean | null): LeveledSection {
  const own = lines.filter(({ text }, index) => index > 0 || !UNDERLINE.test(text));
  const first = own.findIndex(({ text }) => text.trim() !== '');
  const below = dateBelow(own[first]?.text ?? '', order);
  const shown = below.isWhole ? own.slice(first + 1) : own;
  return {
    version,
    level,
    date: dateIn(rest, order) || below.date,
    isYanked: /\byanked\b/i.test(rest),
    body: shown
      .slice(0, shown.findLastIndex(({ text }) => !BETWEEN.test(text.trim())) + 1)
      .map(({ text }) => text)
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

export function changesInNotes(markdown: string): readonly ArticleChange[] {
  return changesIn(linesOf(markdown));
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
function changesIn(lines: readonly Line[]): readonly ArticleChange[] {
  const groups = partsOf(
    lines.filter(({ isHidden }) => !isHidden),
    groupAt,
  );
  return groups.flatMap(({ type, lines: own }) => itemsIn(own).map((text) => ({ type, text })));
}

interface GroupStart {
  readonly type: ArticleChange['type'];
  readonly level: number;
}

function groupAt({ level, text, needsVersion }: Heading, open: GroupStart | null): GroupStart | null | undefined {
  if (needsVersion) return undefined;
  const type = GROUPS.get(text.trim().toLowerCase().replace(COUNT, '').replace(AROUND_NAME, ''));
  if (type !== undefined) return { type, level };
  return open !== null && level > open.level ? undefined : null;
}

interface Item {
  readonly indent: number;
  /** Its first paragraph, and those of the items inside it, each in one line. */
  readonly texts: string[];
  /** Whether the next line can belong to the last one of the texts. */
  isOpen: boolean;
}

/** The items of the outer list, each in one line with the items inside it. */
function itemsIn(lines: readonly Line[]): readonly string[] {
  const items: Item[] = [];
  for (const { text } of lines) {
    const [mark, blanks = ''] = ITEM.exec(text) ?? [];
    const outer = items.at(-1);
    if (mark === undefined) {
      if (outer !== undefined) continueItem(outer, text);
      continue;
    }
    const [indent, begun] = [blanks.replaceAll('\t', '    ').length, text.slice(mark.length).trim()];
    if (outer === undefined || indent < outer.indent + NESTED) items.push({ indent, texts: [begun], isOpen: true });
    else {
      outer.texts.push(begun);
      outer.isOpen = true;
    }
  }
  return items.map(({ texts: [first = '', ...inner] }) => (inner.length === 0 ? first : `${first.replace(/:$/, '')}: ${inner.join('; ')}`));
}

/** A paragraph ends with a line that is blank or not indented. */
function continueItem(item: Item, line: string): void {
  if (item.isOpen && /^\s+\S/.test(line)) item.texts.push(`${item.texts.pop() ?? ''} ${line.trim()}`);
  else item.isOpen = false;
}
