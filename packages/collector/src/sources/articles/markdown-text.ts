import { publicLine } from '../git/public-text.js';
import { codeIn } from './markdown-code.js';
import { REMOVED, withoutShortcodes } from './shortcodes.js';
import { plainText } from '../web-text/plain-text.js';

const COLONS = /^ {0,3}:{3,}/;
const NAME = /^\{?([a-z][\w-]*)\}?/i;
/** `!!! note "A title"` */
const ADMONITION = /^(?:!!!|\?\?\?\+?) ([a-z][\w-]*)(?: "([^"]{0,200})")?/i;
/** `> [!NOTE]` of GitHub. */
const ALERT = /^(\s{0,3}(?:>\s?){1,8})\[!([a-z]+)\]\s*$/i;
/** `import A, { b } from '../../articles/a'` of MDX. */
const IMPORT = /^import (?:[\w*{][^'"]{0,500} from )?(?:'[^']{1,500}'|"[^"]{1,500}");?$/;

/**
 * A text without syntax that only its site generator understands: shortcodes and imports are left out, and admonitions become quotes with their title. Code stays as it
 * is written.
 */
export function withoutSiteSyntax(markdown: string): string {
  const result: string[] = [];
  const quotes: Quote[] = [];
  const lines = withoutShortcodes(markdown).split('\n');
  const isCode = codeIn(lines);
  for (const [index, line] of lines.entries()) {
    leaveIndented(line, quotes);
    result.push(...(isCode[index] === true ? [quoted(line, quotes)] : linesFor(line, quotes)));
  }
  return result.join('\n');
}

interface Quote {
  /** Whether its text is indented, and ends with the first line that is not. */
  readonly isIndented: boolean;
}

const INDENT = 4;

function leaveIndented(line: string, quotes: Quote[]): void {
  if (quotes.at(-1)?.isIndented === true && line.trim() !== '' && !line.startsWith(' '.repeat(INDENT)) && !line.startsWith('\t')) quotes.pop();
}

function linesFor(line: string, quotes: Quote[]): readonly string[] {
  if (COLONS.test(line)) return container(line.replace(COLONS, '').trim(), quotes);
  const [, type, title] = ADMONITION.exec(line) ?? [];
  if (type !== undefined) return begun(quotes, type, title, true);
  if (IMPORT.test(line.trimEnd())) return [];
  const shown = line
    .replace(ALERT, (_, marks: string, name: string) => `${marks}**${capitalized(name.toLowerCase())}**\n${marks.trimEnd()}`)
    .replaceAll(REMOVED, '');
  return shown.trim() === '' && line.trim() !== '' ? [] : [quoted(shown, quotes)];
}

/** `:::tip A title`, `::: warning`, `:::note[A title]`, and `:::` at the end. */
function container(rest: string, quotes: Quote[]): readonly string[] {
  const [start = '', name] = NAME.exec(rest) ?? [];
  if (name === undefined) return ended(quotes);
  return begun(quotes, name, rest.slice(start.length).replace(/^\[([^\]]*)\]$/, '$1'), false);
}

function begun(quotes: Quote[], name: string, title: string | undefined, isIndented: boolean): readonly string[] {
  const before = marksOf(quotes);
  quotes.push({ isIndented });
  const shown = title?.trim() ?? '';
  const marks = marksOf(quotes);
  return [before.trimEnd(), `${marks}**${shown === '' ? capitalized(name) : shown}**`, marks.trimEnd()];
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function ended(quotes: Quote[]): readonly string[] {
  return quotes.pop() === undefined ? [] : [marksOf(quotes).trimEnd()];
}

function quoted(line: string, quotes: readonly Quote[]): string {
  if (quotes.length === 0) return line;
  return (marksOf(quotes) + (quotes.at(-1)?.isIndented === true ? line.replace(/^(?: {4}|\t)/, '') : line)).trimEnd();
}

/** Deeper ones are not told apart. */
const MOST_QUOTES = 8;

function marksOf({ length }: readonly Quote[]): string {
  return '> '.repeat(Math.min(length, MOST_QUOTES));
}

/** No paragraph is read further than this. */
const MAX_READ = 4_096;
const HEADING = /^#{1,6}\s+(\S.*)$/;
/** Blocks that are not paragraphs: headings, code, tables, quotes, lists, images and badges, rules, HTML, a link alone, marks for a table of contents and attributes. */
const NO_PARAGRAPH =
  /^(?:\s{4}|\s{0,3}(?:#{1,6}\s|```|~~~|[|>!<]|\[!|[-*+]\s|\d+[.)]\s|={3}|-{3}|\*{3}\s*$|_{3}|\[[^\]]*\](?::|\([^()]*\)\s*$)|\[{1,2}_?toc_?\]|\{:))/i;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
/** A line that the next one does not continue. */
const WHOLE_LINE = /^\s{0,3}(?:#{1,6}\s|[-*_]{3,}\s*$|$)|-->\s*$/;
/** A heading over a line of `===` or `---`. */
const UNDERLINE = /^ {0,3}(?:={2,}|-{2,})\s*$/;

const CODE = /(?<!`)(`{1,3})(?!`)([^]{1,500}?)(?<!`)\1(?!`)/g;
/** The address may have brackets in it. */
const LINK = /!?\[([^[\]]{0,500})\]\((?:[^()]|\([^()]{0,500}\)){0,2000}\)/g;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Marks as entities, which are no Markdown: code keeps its characters. */
function asEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

/** A piece of Markdown as plain text in one line: without links, emphasis and HTML. @param limit in code points */
export function markdownLine(markdown: string, limit: number): string {
  const text = markdown
    .slice(0, MAX_READ)
    .replace(CODE, (_span, _marks, code: string) => asEntities(code))
    .replace(ESCAPED, (_, mark: string) => asEntities(mark))
    .replace(LINK, '$1')
    .replace(LINK, '$1') // An image in a link.
    .replace(/\[([^[\]]{1,500})\]\[[^[\]]{0,200}\]/g, '$1')
    .replace(/<(https?:[^<>\s]{1,2000})>/g, '$1')
    .replace(/\[\^[^[\]]{1,100}\]|`+|[*~]{1,3}(?=\S)|(?<=\S)[*~]{1,3}|\b_{1,3}|_{1,3}\b/g, '');
  return publicLine(plainText(text), limit);
}

/** `{#usage}` behind a heading. */
const OWN_ID = /\s?\{#[^{}\s]{1,200}\}$/;

/** The first heading of a Markdown text; `''` without one. */
export function firstHeading(markdown: string): string {
  return (
    withoutCode(markdown)
      .map((line) => (HEADING.exec(line)?.[1] ?? '').replace(OWN_ID, ''))
      .find((heading) => heading !== '') ?? ''
  );
}

/** The first paragraph of a Markdown text; `''` without one. It does not begin in a list, a quote or HTML. */
export function firstParagraph(markdown: string): string {
  const lines = withoutListText(withoutCode(markdown));
  const start = lines.findIndex((line, index) => line.trim() !== '' && !NO_PARAGRAPH.test(line) && WHOLE_LINE.test(lines[index - 1] ?? ''));
  if (start < 0) return '';
  const end = lines.findIndex((line, index) => index > start && (line.trim() === '' || NO_PARAGRAPH.test(line)));
  return lines.slice(start, end < 0 ? undefined : end).join(' ');
}

/** The lines with those removed that are indented below a list item, because they belong to it. */
function withoutListText(lines: readonly string[]): readonly string[] {
  let isInList = false;
  return lines.filter((line) => {
    if (LIST_ITEM.test(line)) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    return !(isInList && /^\s+\S/.test(line));
  });
}

/** The lines outside of code. Headings over a line are written with marks. */
function withoutCode(markdown: string): readonly string[] {
  const lines = markdown.split('\n');
  const isCode = codeIn(lines);
  return lines
    .map((line, index) => (isHeadingOver(line, lines[index - 1], lines[index + 1]) ? `# ${line}` : line))
    .filter((_, index) => isCode[index] !== true);
}

function isHeadingOver(line: string, above = '', below = ''): boolean {
  return UNDERLINE.test(below) && above.trim() === '' && line.trim() !== '' && !NO_PARAGRAPH.test(line);
}
