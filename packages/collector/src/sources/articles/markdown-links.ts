import { posix } from 'node:path';

/** `](target)` and `](<target> "title")` of links and images, and `[name]: target`, but no footnotes: `[^1]: text`. */
const INLINE = /\]\(\s{0,10}(<[^<>\n]{1,2000}>|[^\s()<>]{1,2000})/g;
const REFERENCE = /^(\s{0,3}\[(?!\^)[^\]\n]{1,500}\]:\s{0,10})(<[^<>\n]{1,2000}>|\S{1,2000})/gm;
const HTML_IMAGE = /<img\s[^<>]*>/gi;
const SRC = /(\ssrc=["'])([^"'\n]+)/i;
const SCHEME = /^[a-z][\w+.-]*:/i;
/** Anchors, paths of a site, and addresses that Liquid makes: `{{ site.url }}`. */
const NO_FILE = /^(?:[#/]|\{[{%])/;

/** Where links to other files lead. @param name the file with its subfolders; outside of the folder, it begins with `../` @returns an absolute address; `null`: the link stays as it is */
type AddressOfFile = (name: string, anchor: string) => string | null;

/**
 * The text with the addresses of other files in place of relative links. Links to anchors, absolute addresses and code stay. @param name the file in which the text stands
 */
export function withAbsoluteLinks(markdown: string, name: string, addressOf: AddressOfFile): string {
  const replaced = (target: string): string => addressOfTarget(target.replace(/^<|>$/g, ''), name, addressOf) ?? target;
  return outsideCode(markdown, (text) =>
    text
      .replace(INLINE, (link, target: string) => link.slice(0, -target.length) + replaced(target))
      .replace(REFERENCE, (_, before: string, target: string) => before + replaced(target))
      .replace(HTML_IMAGE, (tag) => tag.replace(SRC, (_, before: string, target: string) => before + replaced(target))),
  );
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

export function isOutside(file: string): boolean {
  return file === '..' || file.startsWith('../');
}

/** The image files that a text names, by their paths in the folder. */
export function imageFilesIn(markdown: string, name: string): readonly string[] {
  const files = new Set<string>();
  withAbsoluteLinks(markdown, name, (file) => {
    if (IMAGE.test(file) && !isOutside(file)) files.add(file);
    return null;
  });
  return [...files];
}

function addressOfTarget(target: string, name: string, addressOf: AddressOfFile): string | null {
  if (SCHEME.test(target) || NO_FILE.test(target)) return null;
  const hash = target.indexOf('#');
  const [path, anchor] = hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash)];
  return addressOf(posix.normalize(posix.join(posix.dirname(name), decoded(path.split('?', 1)[0] ?? ''))), anchor);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Changes a text except for its code. @param changeCode default: code stays as it is */
export function outsideCode(markdown: string, change: (text: string) => string, changeCode = (code: string): string => code): string {
  let [result, from] = ['', 0];
  const mark = /\\[^]|`+|~{3,}/g;
  const endOf = endsOfCode(markdown);
  for (let found = mark.exec(markdown); found !== null; found = mark.exec(markdown)) {
    const end = found[0].startsWith('\\') ? -1 : endOf(found[0], mark.lastIndex);
    if (end < 0) continue;
    result += change(markdown.slice(from, found.index)) + changeCode(markdown.slice(found.index, end));
    [from, mark.lastIndex] = [end, end];
  }
  return result + change(markdown.slice(from));
}

/** Code in a line, which ends with its paragraph. Longer marks are fences, whose code has blank lines. */
const INLINE_MARKS: ReadonlyMap<string, RegExp> = new Map([
  ['`', /(?<!`)`(?!`)/],
  ['``', /(?<!`)``(?!`)/],
]);

/** The end of a line before a blank line, a list item, a heading, a row of a table or a fence: a paragraph ends there. */
const PARAGRAPH_END = /\n(?=[ \t>]*(?:\n|[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\||`{3}|~{3}))/g;
const HEADING = /[ \t>]*#{1,6}\s/y;

/** The end of the paragraph, or of the heading, in which a position is. */
function endOfParagraph(markdown: string, from: number): number {
  HEADING.lastIndex = markdown.lastIndexOf('\n', from - 1) + 1;
  const lineEnd = HEADING.test(markdown) ? markdown.indexOf('\n', from) : -1;
  if (lineEnd >= 0) return lineEnd;
  PARAGRAPH_END.lastIndex = from;
  return PARAGRAPH_END.exec(markdown)?.index ?? markdown.length;
}

/**
 * Where the code ends that begins with a mark; -1: the mark is not closed, so it is not code. Call it with rising positions: then no part of the text is searched twice in
 * vain for the same mark.
 */
function endsOfCode(markdown: string): (mark: string, from: number) => number {
  const unclosed = new Set<string>();
  let paragraphEnd = -1;
  return (mark, from) => {
    if (from > paragraphEnd) {
      paragraphEnd = endOfParagraph(markdown, from);
      for (const inline of INLINE_MARKS.keys()) unclosed.delete(inline);
    }
    if (unclosed.has(mark)) return -1;
    const inline = INLINE_MARKS.get(mark);
    const length = inline === undefined ? markdown.indexOf(mark, from) - from : markdown.slice(from, paragraphEnd).search(inline);
    if (length >= 0) return from + length + mark.length;
    unclosed.add(mark);
    return -1;
  };
}
