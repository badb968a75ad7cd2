import { publicLine } from '../git/public-text.js';
import { plainText } from '../web-text/plain-text.js';
import { codeIn } from './markdown-code.js';

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

export function firstHeading(markdown: string): string {
  const headings = withoutCode(markdown).flatMap((line) => HEADING.exec(line)?.[1]?.replace(OWN_ID, '') ?? []);
  return headings.find((heading) => heading !== '') ?? '';
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
