import { isCoded, readableText, writtenText, type ReadableText } from './readable-text.js';

const MAY_HOLD_AT = /[@%&\uff20\ufe6b]/;
const CODED_AT = /%(?:25)*(?:40|ef)|&(?:amp;)*(?:#|commat)/i;
const MARK = /[<>@]/g;
const BLANK = /\s/;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}._%+'-]$/u;
/** A host name with a top-level domain. Some hosts have underscores. */
const DOMAIN = /(?:[\p{L}\p{M}\p{N}_-]+\.)+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)/iuy;
/** `[10.0.0.1]`, `[IPv6:2001:db8::1]` */
const ADDRESS_LITERAL = /\[(?:ipv6:)?[0-9a-f]{0,4}[.:][0-9a-f.:]{1,64}\]/iuy;
/** The host after `mailto:` and a name. It needs no top-level domain. */
const ANY_HOST = /[\p{L}\p{M}\p{N}_.-]+/uy;
const MAILTO = 'mailto:';
/** RFC 5321: the maximum length of the part before the `@`. */
const MAX_LOCAL_PART = 64;
/** Removing an address can join the text around it to a new address. Only a text made for this purpose needs many rounds. */
const MOST_ROUNDS = 8;

/**
 * Removes email addresses: `Co-authored-by: Ada <ada@example.org>` becomes `Co-authored-by: Ada`. An address without `<…>` needs a top-level domain of
 * letters, so `widget@1.2.3` stays, and a version such as `v1.beta` does not count as a host. The `@` may also be written as `＠`, `%40` or `&#64;`, or
 * have invisible characters around it. Reads any text, even a hostile one, a constant number of times.
 */
export function withoutEmail(text: string): string {
  let clean = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!mayHoldEmail(clean)) return clean;
    const asWritten = cutIn(clean, writtenText);
    const cut = isCoded(asWritten) ? cutIn(asWritten, readableText) : asWritten;
    if (cut === clean) return clean;
    clean = cut;
  }
  return '';
}

/** Whether {@link withoutEmail} would remove anything. */
export function holdsEmail(text: string): boolean {
  return mayHoldEmail(text) && withoutEmail(text) !== text;
}

/** Whether the text contains anything that can be read as an `@`. One pass decides this for nearly every text. */
export function mayHoldEmail(text: string): boolean {
  // `search` takes half the time of `test`. This runs about fifteen times for each record that is written or read.
  if (text.search(MAY_HOLD_AT) < 0) return false;
  return text.includes('@') || text.includes('\uff20') || text.includes('\ufe6b') || CODED_AT.test(text);
}

/** A part of a text: `start` inclusive, `end` exclusive. */
type Range = readonly [start: number, end: number];

function cutIn(text: string, read: (text: string) => ReadableText): string {
  const clean = without(text, read(text), bracketed);
  return without(clean, read(clean), bare);
}

function without(text: string, readable: ReadableText, find: (readable: string) => readonly Range[]): string {
  let kept = '';
  let done = 0;
  for (const [start, end] of find(readable.text)) {
    // Two ranges may share the blanks between them.
    kept += text.slice(done, Math.max(done, readable.sourceOf(start)));
    done = readable.sourceOf(end);
  }
  return done === 0 ? text : kept + text.slice(done);
}

interface OpenBracket {
  readonly start: number;
  /** Whether an `@` follows the bracket. */
  hasAt: boolean;
}

/** Every `<…@…>` without blanks inside, also nested, with the blanks before it. The blanks stay if text follows directly, to keep words apart. */
function bracketed(text: string): readonly Range[] {
  const found: Range[] = [];
  let open: OpenBracket[] = [];
  let done = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (BLANK.test(text.slice(done, index))) open = [];
    done = index + 1;
    const top = open.at(-1);
    if (mark === '<') open.push({ start: index, hasAt: false });
    else if (mark === '>') closeBracket(text, done, open.pop(), found);
    else if (top !== undefined) top.hasAt = true;
  }
  return found;
}

function closeBracket(text: string, end: number, bracket: OpenBracket | undefined, found: Range[]): void {
  if (bracket?.hasAt !== true) return;
  const { start } = bracket;
  while (found.length > 0 && (found.at(-1) ?? [0])[0] >= start) found.pop();
  found.push([BLANK.test(text.charAt(end)) || end === text.length ? blanksStart(text, start) : start, end]);
}

/** Where the blanks before an index start. */
function blanksStart(text: string, index: number): number {
  let start = index;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

/** Goes from each `@` in both directions. An expression that starts with the part before the `@` would try every position of every word. */
function bare(text: string): readonly Range[] {
  const found: Range[] = [];
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = Math.max(done, text[at - 1] === '"' ? quotedStart(text, at) : plainStart(text, at));
    if (start >= at) continue;
    const end = hostEnd(text, at + 1, text.slice(Math.max(0, start - MAILTO.length), start).toLowerCase() === MAILTO);
    if (end < 0) continue;
    found.push([start, end]);
    done = end;
  }
  return found;
}

/** Where the name before an `@` starts; the index of the `@` if there is no name. */
function plainStart(text: string, at: number): number {
  for (let start = at; ;) {
    const width = /[\udc00-\udfff]/.test(text[start - 1] ?? '') ? 2 : 1;
    if (start < width || !LOCAL_PART.test(text.slice(start - width, start))) return start;
    start -= width;
  }
}

/** Like {@link plainStart}, for a name in quotation marks, such as `"Ada L"@example.org` or `"Ada \"L\""@example.org`. */
function quotedStart(text: string, at: number): number {
  const least = Math.max(0, at - MAX_LOCAL_PART - 2);
  for (let opening = text.lastIndexOf('"', at - 2); opening >= least; opening = text.lastIndexOf('"', opening - 1)) {
    if (text[opening - 1] !== '\\') return opening;
    if (opening === 0) break;
  }
  return at;
}

/** Where the host after an `@` ends; -1 if there is no host. */
function hostEnd(text: string, start: number, isAfterMailto: boolean): number {
  const end = endOf(DOMAIN, text, start);
  if (end >= 0) return isVersion(text, start) ? -1 : end;
  const literal = endOf(ADDRESS_LITERAL, text, start);
  return literal < 0 && isAfterMailto ? endOf(ANY_HOST, text, start) : literal;
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const HOST_OR_VERSION = /[A-Za-z0-9_.+-]+/y;
const VERSION_NUMBER = /^v?\d{1,9}$/i;
/** Words that occur in versions, and abbreviated commit ids. */
const VERSION_PART =
  /^(?:\d{1,16}|[0-9a-f]{6,40}|\d{0,9}(?:alpha|beta|build|canary|dev|edge|experimental|final|ga|hotfix|latest|lts|milestone|next|nightly|patch|post|pre|preview|prerelease|rc|release|snapshot|sp|stable|unstable)\d{0,9})$/i;
/** The words of versions that are also top-level domains. */
const TOP_LEVEL = /^(?:build|dev|ga|next|post)$/i;
const MAX_VERSION = 128;

/** Whether the text after an `@` is a version, such as `v1.beta` or `1.0.0-alpha.rc`, and not a host. */
function isVersion(text: string, start: number): boolean {
  const end = endOf(HOST_OR_VERSION, text, start);
  if (end < 0 || end - start > MAX_VERSION) return false;
  const parts = text.slice(start, end).replace(/\.$/, '').split(/[.+-]/);
  return VERSION_NUMBER.test(parts[0] ?? '') && parts.every(isVersionPart) && !TOP_LEVEL.test(parts.at(-1) ?? '');
}

function isVersionPart(part: string, index: number): boolean {
  return index === 0 || VERSION_PART.test(part);
}
