import { DocumentError } from '../documents/document-error.js';

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
