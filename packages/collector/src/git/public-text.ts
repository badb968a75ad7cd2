import { publishableBranch, withoutEmail } from '@vitrine/core';

/** Longest texts of a record, in code points. */
export const MAX_TITLE = 1_000;
export const MAX_TEXT = 65_536;
const MAX_NAME = 255;

// C0 but tab and line feed, DEL, and C1.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;

/** Of a text, this many times its limit is read: the rest would not be stored, even if a good part of the beginning were cut out. */
const READ_TIMES = 4;
/** No address takes more room than this, however it is encoded. */
const LONGEST_WORD = 4_096;

/**
 * Text of a repository as it may be stored: no control characters but tabs and line feeds, and no e-mail addresses, which must not be cut in two below.
 * Of a text that is much longer than the limit only a beginning is read.
 */
export function publicText(text: string, limit: number): string {
  return withoutEmail(printable(beginning(text, READ_TIMES * limit)));
}

/** The whole words at the beginning of a text: a part of the last one could be half an address. */
function beginning(text: string, most: number): string {
  if (text.length <= most + LONGEST_WORD) return text;
  const last = text.slice(most, most + LONGEST_WORD);
  return text.slice(0, most + Math.max(0, last.lastIndexOf(' '), last.lastIndexOf('\n')));
}

/** The same as one line of at most `limit` code points. */
export function publicLine(text: string, limit: number): string {
  return oneLine(publicText(text, limit), limit);
}

/** A name as one line. An e-mail address in it stays, because what is left would name something else: the store refuses its record. */
export function plainName(text: string, limit: number): string {
  return oneLine(printable(text), limit);
}

/** A branch as it may be stored; `null` when its name holds an e-mail address. */
export function publicBranch(name: string): string | null {
  return publishableBranch(plainName(name, MAX_NAME));
}

function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

function oneLine(text: string, limit: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), limit);
}

/** At most `limit` code points; a longer text ends in "…". */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let length = 0;
  let end = 0;
  for (const point of text) {
    if (length === limit - 1) break;
    length += 1;
    end += point.length;
  }
  // One code point left takes no more room than the ellipsis.
  const rest = text.slice(end);
  return [...rest.slice(0, 3)].length <= 1 ? text : `${text.slice(0, end)}…`;
}

/** A message's first line, and the rest of it. */
export function splitMessage(message: string): { readonly title: string; readonly rest: string } {
  const text = publicText(message, MAX_TEXT).trim();
  const end = text.indexOf('\n');
  if (end < 0) return { title: publicLine(text, MAX_TITLE), rest: '' };
  return { title: publicLine(text.slice(0, end), MAX_TITLE), rest: cut(text.slice(end).trim(), MAX_TEXT) };
}
