import { withoutEmail } from './without-email.js';

/** The maximum length of a quoted text from outside, in characters. */
export const MAX_QUOTED = 80;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** An address that the cut may have ended within its user name or password. */
const CUT_ADDRESS = /:\/\/[^\s/?#]*$/;

/**
 * Prepares a text from outside for a log or a message: one line, at most `most` characters (80 by default), no email addresses, no credentials in addresses. Never quote
 * private values, such as the texts, ids and URLs of records.
 */
export function quotable(text: string, most = MAX_QUOTED): string {
  // The text is cut twice. The first cut limits the work, because a text can have megabytes. It keeps enough that no e-mail address near the end is cut in two.
  const isCut = text.length > 10 * most;
  const start = isCut ? text.slice(0, 10 * most).replace(CUT_ADDRESS, '://…') : text;
  const clean = withoutEmail(withoutCredentials(start)).replace(UNPRINTABLE, ' ');
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`;
}

const ADDRESS = /[a-z][a-z0-9+.-]{0,30}:\/\/\S*/gi;
/** A path with a query, such as a server repeats it in its own messages. */
const PATH_WITH_QUERY = /[\w./-]\?[\w.~%[\]-]{1,100}=\S*/g;
/** What can follow an address in a sentence. */
const CLOSING = /['")>\]}]{0,3}[.,:;]{0,2}$/;
const USER = /(:\/\/)([^/?#]*@)/g;
const HOST_AND_PORT = /^(?:\[[^\]]*\]|[^:]*)(?::\d{0,5}['")>\]},.:;]{0,5})?$/;
const ELISION = '…';

/**
 * Removes possible secrets from every address in a text: the user name and password, the query and the fragment. An ellipsis replaces each. Every message, log line and
 * failure that can contain an address of the configuration, of a redirect or of another program's output goes through this function.
 */
export function withoutCredentials(text: string): string {
  return text.replace(ADDRESS, (address) => withoutQuery(withoutUser(address))).replace(PATH_WITH_QUERY, withoutQuery);
}

/** A password can also contain a slash or a question mark. Then no host and port remain before it, and it ends at the last `@`. */
function withoutUser(address: string): string {
  const start = address.indexOf('://') + '://'.length;
  const authority = address.slice(start).split(/[/?#]/, 1).join('');
  const isWhole = HOST_AND_PORT.test(authority.slice(authority.lastIndexOf('@') + 1));
  const end = address.lastIndexOf('@');
  return isWhole || end < start ? address.replace(USER, `$1${ELISION}@`) : `${address.slice(0, start)}${ELISION}${address.slice(end)}`;
}

function withoutQuery(address: string): string {
  const end = address.search(/[?#]/);
  if (end < 0) return address;
  const closing = CLOSING.exec(address.slice(end + 1))?.[0] ?? '';
  return `${address.slice(0, end + 1)}${ELISION}${closing}`;
}

const MAX_LENGTH = 64;

/** The candidate most similar to a misspelt word, in any letter case; `null` if more than a third of the letters differ from each candidate. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const most = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
    if (Math.abs(word.length - candidate.length) > most) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least && distance <= most) [best, least] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbouring letters. Keeps only the rows that it needs, because anybody can send misspelt addresses. */
function editDistance(a: string, b: string): number {
  let twoAbove: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    let left = row;
    const current = [left];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? Infinity) + Number(a[row - 1] !== b[column - 1]);
      const swapped = isSwap(a, b, row, column) ? (twoAbove[column - 2] ?? Infinity) + 1 : Infinity;
      left = Math.min(replaced, left + 1, (above[column] ?? Infinity) + 1, swapped);
      current.push(left);
    }
    [twoAbove, above] = [above, current];
  }
  return above[b.length] ?? Infinity;
}

/** Whether the last two letters of both parts are the same in reverse order. */
function isSwap(a: string, b: string, row: number, column: number): boolean {
  return row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
}
