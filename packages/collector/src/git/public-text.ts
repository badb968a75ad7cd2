import { publishableBranch, withoutEmail } from '@vitrine/core';

/** Longest texts of a record, in code points. */
export const MAX_TITLE = 1_000;
export const MAX_TEXT = 65_536;
const MAX_NAME = 255;

// C0 but tab and line feed, DEL, and C1.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;

/** Text of a repository as it may be stored: no control characters but tabs and line feeds, and no e-mail addresses, which must not be cut in two below. */
export function publicText(text: string): string {
  return withoutEmail(printable(text));
}

/** The same as one line of at most `limit` code points. */
export function publicLine(text: string, limit: number): string {
  return oneLine(publicText(text), limit);
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
  const text = publicText(message).trim();
  const end = text.indexOf('\n');
  if (end < 0) return { title: publicLine(text, MAX_TITLE), rest: '' };
  return { title: publicLine(text.slice(0, end), MAX_TITLE), rest: cut(text.slice(end).trim(), MAX_TEXT) };
}
