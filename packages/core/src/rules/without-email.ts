import { readings } from './readable-text.js';

const MAY_HOLD_AT = /[@%&\uff05\uff06\uff20\ufe60\ufe6a\ufe6b]/;
/** The beginning of an escape. */
const CODED_AT = /[%\uff05\ufe6a](?:[0-9a-f%&\\]|[^\s -~])|[&\uff06\ufe60](?:[#a-z\\%]|[^\s -~])/i;
/** What a name may end in, and emphasis. No slash: `/@ada.example` begins a part of a path. */
const LAST_OF_LOCAL_PART = /^[!#$&*=?^{|}~`]$/;
/** Emphasis between an `@` and a host. */
const EMPHASIS = /[*`~]{0,3}/y;
const MARK = /[<>@]/g;
const BLANK = /\s/;
const LOCAL_PART = /^[\p{L}\p{M}\p{N}._%+'-]$/u;
/** A host name with a top-level domain. Some hosts have underscores. */
const DOMAIN = /(?:[\p{L}\p{M}\p{N}_-]+\.)+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)/iuy;
/** `[10.0.0.1]`, `[IPv6:2001:db8::1]` */
const ADDRESS_LITERAL = /\[(?:ipv6:)?[0-9a-f]{0,4}[.:][0-9a-f.:]{1,64}\]/iuy;
/** What may follow `mailto:` and a name: there, a host needs no top-level domain. */
const ANY_HOST = /[\p{L}\p{M}\p{N}_.-]+/uy;
/** A link of that kind can name several addresses. */
const MAILTO = /mailto:[^\s<>"']*/gi;
/** The end of the text before the `@` of a git address. No email address follows `ssh://`. */
const GIT_USER = /(?:^|[^\p{L}\p{M}\p{N}._%+'-])'?git$/iu;
const SSH_USER = /(?:ssh|git\+ssh|ssh\+git):\/\/git$/i;
/** `:path` of `git@host:path`. In a sentence, a blank follows the colon. */
const GIT_PATH = /:[\w~./-]/y;
const LONGEST_GIT_USER = 'git+ssh://git'.length;

/** RFC 5321: the longest part before the `@`. */
const MAX_LOCAL_PART = 64;
/** A cut joins the text around it, which can form a new address. Only hostile texts need many rounds. */
const MOST_ROUNDS = 8;

/**
 * The text without e-mail addresses: `Co-authored-by: Ada <ada@example.org>` becomes `Co-authored-by: Ada`. A bare address needs a top-level domain of
 * letters, so that `widget@1.2.3` stays, and a version such as `v1.beta` is not taken for a host. Addresses are also found where the `@` is written
 * as `＠`, `%40`, `&#64;` or `\@`, or with marks or invisible characters in between. The addresses of git, `git@host:path` and `ssh://git@host/`, stay. Reads hostile text, too, a constant number of times.
 */
export function withoutEmail(text: string): string {
  let clean = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (!mayHoldEmail(clean)) return clean;
    const cut = without(clean, emailsIn(clean));
    if (cut === clean) return clean;
    clean = cut;
  }
  return '';
}

/** Whether {@link withoutEmail} would cut anything. */
export function holdsEmail(text: string): boolean {
  return mayHoldEmail(text) && withoutEmail(text) !== text;
}

/** Whether the text has anything that can be read as an `@`; nearly always decided by one pass. */
export function mayHoldEmail(text: string): boolean {
  // Half the time of `test`; each record that is written or read is asked some fifteen times.
  if (text.search(MAY_HOLD_AT) < 0) return false;
  return text.includes('@') || text.includes('\uff20') || text.includes('\ufe6b') || CODED_AT.test(text);
}

/** A part of a text: from its first character up to the one behind its last. */
type Range = readonly [start: number, end: number];

function emailsIn(text: string): readonly Range[] {
  const found: Range[] = [];
  for (const reading of readings(text)) {
    if (!reading.text.includes('@')) continue;
    for (const [start, end] of bracketed(reading.text)) found.push([reading.startOf(start), reading.endOf(end)]);
    for (const [start, end] of bare(reading.text)) found.push([reading.startOf(start), reading.endOf(end)]);
  }
  return found.sort(([a], [b]) => a - b);
}

function without(text: string, ranges: readonly Range[]): string {
  let kept = '';
  let done = 0;
  for (const [start, end] of ranges) {
    if (start > done) kept += text.slice(done, start);
    done = Math.max(done, end);
  }
  return done === 0 ? text : kept + text.slice(done);
}

interface OpenBracket {
  readonly start: number;
  /** Whether an `@` came since. */
  hasAt: boolean;
}

/** Every `<…@…>` without blanks inside, nested ones too, and the blanks before it, unless the text after it would then join the text before it. */
function bracketed(text: string): readonly Range[] {
  const found: Range[] = [];
  const isInMailto = mailtoReader(text);
  let open: OpenBracket[] = [];
  let done = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (BLANK.test(text.slice(done, index))) open = [];
    done = index + 1;
    const top = open.at(-1);
    if (mark === '<') open.push({ start: index, hasAt: false });
    else if (mark === '>') closeBracket(text, done, open.pop(), found);
    else if (top !== undefined) top.hasAt ||= isInMailto(index) || !isOfGit(text, index);
  }
  return found;
}

function closeBracket(text: string, end: number, bracket: OpenBracket | undefined, found: Range[]): void {
  if (bracket?.hasAt !== true) return;
  const { start } = bracket;
  while (found.length > 0 && (found.at(-1) ?? [0])[0] >= start) found.pop();
  found.push([BLANK.test(text.charAt(end)) || end === text.length ? blanksStart(text, start) : start, end]);
}

function blanksStart(text: string, index: number): number {
  let start = index;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

/** Walks from each `@` to both sides: a pattern that begins with the part before it would try every start of every word. */
function bare(text: string): readonly Range[] {
  const found: Range[] = [];
  const isInMailto = mailtoReader(text);
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const isMailto = isInMailto(at);
    if (!isMailto && isOfGit(text, at)) continue;
    const start = Math.max(done, text[at - 1] === '"' ? quotedStart(text, at) : plainStart(text, at));
    if (start >= at) continue;
    const end = hostEnd(text, endOf(EMPHASIS, text, at + 1), isMailto);
    if (end < 0) continue;
    found.push([start, end]);
    done = end;
  }
  return found;
}

/** Whether an `@` is that of `git@host:path` or `ssh://git@host`, which say where a repository is. */
function isOfGit(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LONGEST_GIT_USER), at);
  if (SSH_USER.test(before)) return true;
  const end = GIT_USER.test(before) ? endOf(DOMAIN, text, at + 1) : -1;
  return end >= 0 && endOf(GIT_PATH, text, end) >= 0;
}

/** Tests whether rising indexes are inside a `mailto:` address. */
function mailtoReader(text: string): (index: number) => boolean {
  const links = text.matchAll(MAILTO);
  let link = links.next();
  return (index) => {
    while (link.done !== true && link.value.index + link.value[0].length <= index) link = links.next();
    return link.done !== true && link.value.index < index;
  };
}

/** Where the name before an `@` begins; the `@` itself when there is none. */
function plainStart(text: string, at: number): number {
  let end = at;
  while (LAST_OF_LOCAL_PART.test(text.charAt(end - 1))) end -= 1;
  for (let start = end; ;) {
    const width = /[\udc00-\udfff]/.test(text[start - 1] ?? '') ? 2 : 1;
    if (start < width || !LOCAL_PART.test(text.slice(start - width, start))) return start === end ? at : start;
    start -= width;
  }
}

/** The same for a name in quotation marks, such as `"Ada L"@example.org` or `"Ada \"L\""@example.org`. */
function quotedStart(text: string, at: number): number {
  const least = Math.max(0, at - MAX_LOCAL_PART - 2);
  for (let opening = text.lastIndexOf('"', at - 2); opening >= least; opening = text.lastIndexOf('"', opening - 1)) {
    if (text[opening - 1] !== '\\') return opening;
    if (opening === 0) break;
  }
  return at;
}

/** Where the host behind an `@` ends; -1 when there is none. */
function hostEnd(text: string, start: number, isAfterMailto: boolean): number {
  const end = endOf(DOMAIN, text, start);
  if (end >= 0) return !isAfterMailto && isVersion(text, start) ? -1 : end;
  const literal = endOf(ADDRESS_LITERAL, text, start);
  return literal < 0 && isAfterMailto ? endOf(ANY_HOST, text, start) : literal;
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const HOST_OR_VERSION = /[A-Za-z0-9_.+-]+/y;
const VERSION_NUMBER = /^v?\d{1,9}$/i;
/** Words of versions, and shortened commit ids. */
const VERSION_PART =
  /^(?:\d{1,16}|[0-9a-f]{6,40}|\d{0,9}(?:alpha|beta|build|canary|dev|edge|experimental|final|ga|hotfix|latest|lts|milestone|next|nightly|patch|post|pre|preview|prerelease|rc|release|snapshot|sp|stable|unstable)\d{0,9})$/i;
/** Those of them that are top-level domains. */
const TOP_LEVEL = /^(?:build|dev|ga|next|post)$/i;
const MAX_VERSION = 128;

/** Whether the text after an `@` is a version, such as `v1.beta` or `1.0.0-alpha.rc`, and no host. */
function isVersion(text: string, start: number): boolean {
  const end = endOf(HOST_OR_VERSION, text, start);
  if (end < 0 || end - start > MAX_VERSION) return false;
  const parts = text.slice(start, end).replace(/\.$/, '').split(/[.+-]/);
  return VERSION_NUMBER.test(parts[0] ?? '') && parts.slice(1).every((part) => VERSION_PART.test(part)) && !TOP_LEVEL.test(parts.at(-1) ?? '');
}
