import { publicLine } from '../git/public-text.js';
import { plainText } from '../web-text/plain-text.js';

/** No paragraph is read further than this. */
const MAX_READ = 4_096;
const HEADING = /^#{1,6}\s+(\S.*)$/;
/** Blocks that are not paragraphs: headings, code, tables, quotes, lists, images, rules, HTML. */
const NO_PARAGRAPH = /^(?:#{1,6}\s|```|~~~|[|>!<]|[-*+]\s|\d+[.)]\s|={3}|-{3}|\s{4}|\[[^\]]*\]:)/;

const CODE = /(?<!`)(`{1,3})(?!`)([^]{1,500}?)(?<!`)\1(?!`)/g;
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
    .replace(/!?\[([^[\]]{0,500})\]\([^()]{0,2000}\)/g, '$1')
    .replace(/\[([^[\]]{1,500})\]\[[^[\]]{0,200}\]/g, '$1')
    .replace(/[*`~]+|\b_|_\b/g, '');
  return publicLine(plainText(text), limit);
}

/** The first heading of a Markdown text; `''` without one. */
export function firstHeading(markdown: string): string {
  return (
    withoutCode(markdown)
      .map((line) => HEADING.exec(line)?.[1] ?? '')
      .find((heading) => heading !== '') ?? ''
  );
}

/** The first paragraph of a Markdown text; `''` without one. */
export function firstParagraph(markdown: string): string {
  const lines = withoutCode(markdown);
  const start = lines.findIndex((line) => line.trim() !== '' && !NO_PARAGRAPH.test(line));
  if (start < 0) return '';
  const end = lines.findIndex((line, index) => index > start && (line.trim() === '' || NO_PARAGRAPH.test(line)));
  return lines.slice(start, end < 0 ? undefined : end).join(' ');
}

function withoutCode(markdown: string): readonly string[] {
  let isCode = false;
  return markdown.split('\n').filter((line) => {
    const isFence = /^\s{0,3}(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return !isCode && !isFence;
  });
}
