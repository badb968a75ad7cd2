import { DocumentError } from '../../running/source.js';

/** The limit of the parser. */
const MOST_LEVELS = 100;
/** Elements with a text. Many feeds have HTML in them that is not escaped and not well-formed, so tags inside are not judged. */
const TEXTS = new Set(
  'title description summary content encoded subtitle tagline copyright rights info body text creator author publisher name guid comments'.split(' '),
);

interface Tag {
  readonly name: string;
  readonly kind: 'start' | 'end' | 'empty';
  readonly at: number;
}

/**
 * Throws a {@link DocumentError} that names the line if an element is not closed, or closed in the wrong place, because the parser gives only a part of the items then.
 * Bare `&`, entities and the text after the first element are not judged. @param from where the first element begins
 */
export function requireBalancedXml(text: string, from: number): void {
  const open: Tag[] = [];
  for (const tag of tagsIn(text, from)) {
    if (isInText(tag, open.at(-1))) continue;
    if (tag.kind === 'start') open.push(tag);
    else if (tag.kind === 'end') requireSame(open.pop(), tag, text);
    if (open.length === 0) return;
    if (open.length > MOST_LEVELS) throw tooManyLevels();
  }
  const inner = open.at(-1);
  if (inner !== undefined) throw brokenAt(text, text.length, `the document ends here, but </${inner.name}> is missing${openedAt(text, inner)}`);
}

function isInText({ name }: Tag, inner: Tag | undefined): boolean {
  return inner !== undefined && name !== inner.name && TEXTS.has(inner.name.slice(inner.name.indexOf(':') + 1));
}

export function tooManyLevels(): DocumentError {
  return new DocumentError('too many elements', `a feed may have at most ${String(MOST_LEVELS)} elements inside each other`);
}

function requireSame(start: Tag | undefined, end: Tag, text: string): void {
  if (start !== undefined && start.name !== end.name)
    throw brokenAt(text, end.at, `</${end.name}> appears where </${start.name}> is missing${openedAt(text, start)}`);
}

function openedAt(text: string, { at }: Tag): string {
  return ` (opened in line ${String(lineOf(text, at))})`;
}

function brokenAt(text: string, at: number, problem: string): DocumentError {
  return new DocumentError('not complete', `line ${String(lineOf(text, at))}: ${problem}`);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** The tags of a document. Comments, CDATA sections and processing instructions are passed over. The names have lower case, as the parser reads them. */
function* tagsIn(text: string, from: number): Generator<Tag> {
  const mark = /<(?:!\[CDATA\[|!--|[!?]|(\/?)([^\s<>/!?"'=&\d.-][^\s<>/!?"'=&]*))/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [begin, slash, name] = found;
    const end = name === undefined ? after(text, ENDS[begin] ?? '>', mark.lastIndex) : endOfTag(text, mark.lastIndex);
    if (end < 0) throw brokenAt(text, found.index, `${name === undefined ? begin : `<${slash ?? ''}${name}`} has no end`);
    mark.lastIndex = end;
    if (name !== undefined) yield { name: name.toLowerCase(), kind: kindOf(slash, text.charAt(end - 2)), at: found.index };
  }
}

const ENDS: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };

function kindOf(slash: string | undefined, last: string): Tag['kind'] {
  if (slash === '/') return 'end';
  return last === '/' ? 'empty' : 'start';
}

/** After the `>` of a tag. One in a value between quotation marks is no end. */
function endOfTag(text: string, from: number): number {
  const mark = /["'>]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '>') return mark.lastIndex;
    mark.lastIndex = after(text, found[0], mark.lastIndex);
    if (mark.lastIndex <= found.index) return -1;
  }
  return -1;
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? -1 : found + end.length;
}

/** More than any feed that people read has. What a parse takes is at most about a second then. */
const MOST_NODES = 250_000;
/** The parser keeps data for each name. Feeds have about a hundred; the rest is for HTML and examples of code in texts. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 64;

/**
 * Throws a {@link DocumentError} if a document has too many elements and attributes, or names of them. Counts them anywhere, also in comments and texts. So nothing in
 * the document can hide one from this count, and the parser can find fewer, but not more.
 */
export function requireBoundedXml(text: string): void {
  const names = new Set<string>();
  let nodes = 0;
  const count = (name: string): void => {
    names.add(name);
    if (++nodes > MOST_NODES) throw new DocumentError('too many elements', `a feed may have at most ${String(MOST_NODES)} elements and attributes`);
    if (names.size > MOST_NAMES)
      throw new DocumentError('too many elements', `a feed may have at most ${String(MOST_NAMES)} names of elements and attributes`);
  };
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (!/[!/?]/.test(text.charAt(at + 1))) count(`<${nameAfter(text, at + 1)}`);
  }
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) if (isQuoted(text, at + 1)) count(nameBefore(text, at));
}

const NAME = /[^\s<>=/]{0,64}/y;
const QUOTE = /\s{0,64}["']/y;

function nameAfter(text: string, at: number): string {
  NAME.lastIndex = at;
  return NAME.exec(text)?.[0] ?? '';
}

/** Blanks may stand before the quotation mark. More than a few are counted as one. */
function isQuoted(text: string, at: number): boolean {
  QUOTE.lastIndex = at;
  return QUOTE.test(text) || text.slice(at, at + LONGEST_NAME).trim() === '';
}

function nameBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_NAME), at).trimEnd();
  return before.split(/[\s<>=/]/).at(-1) ?? '';
}
