import { entityDecoded, percentDecoded } from './decoded-text.js';

/** Text as a reader's software shows it. */
export interface ReadableText {
  readonly text: string;
  /** Where in the original the source of the character at this index begins. */
  startOf(index: number): number;
  /** Where in the original the source of the character before this index ends. */
  endOf(index: number): number;
}

const CODED = /[%&\\\0-\x08\x0e-\x1f\x7f-\uffff]/;
/** UTF-8 bytes, an entity, an escape of Markdown, a control character, or anything beyond ASCII. `%25` and `&amp;` are escapes of escapes. */
const TOKEN =
  /%(?:25)*(?:[0-7][0-9a-f]|[cd][0-9a-f]%(?:25)*[89ab][0-9a-f]|[ef][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){2,3})|&(?:amp;)*(?:#\d{1,16};?|#x[0-9a-f]{1,16};?|[a-z]{2,24};|shy)|\\[!-/:-@[-`{-~]|[\0-\x08\x0e-\x1f]|[^\0-~]/giu;
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const BLANK = /\s/;
/** Mail software takes it for a dot, where a name in ASCII goes on. */
const IDEOGRAPHIC_FULL_STOP = '\u3002';
/** Marks of text that a page shows without them: tags within a line, comments, and the emphasis of Markdown. */
const MARKUP =
  /<\/?(?:abbr|b|bdi|big|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|tt|u|wbr)(?:\s[^<>@]{0,200})?\/?>|<!--[^<>]{0,200}-->|[*`]+|~~/gi;
/** Encoded more often, a text was made for it. */
const MOST_DECODINGS = 4;

/** The text as it is written, as it reads when it is decoded once and again, and as it reads without markup. */
export function* readings(text: string): Generator<ReadableText, void, undefined> {
  let reading = asWritten(text);
  yield reading;
  for (let count = 0; count < MOST_DECODINGS; count++) {
    const decoded = decodedOnce(reading);
    if (decoded === reading) break;
    reading = decoded;
    yield reading;
  }
  const plain = replaced(reading, MARKUP, () => '');
  if (plain !== reading) yield plain;
}

/** The text decoded as often as {@link readings} does. */
export function decodedText(text: string): string {
  let reading = asWritten(text);
  for (let count = 0; count < MOST_DECODINGS; count++) reading = decodedOnce(reading);
  return reading.text;
}

function asWritten(text: string): ReadableText {
  return { text, startOf: (index) => index, endOf: (index) => index };
}

function decodedOnce(reading: ReadableText): ReadableText {
  return CODED.test(reading.text) ? replaced(reading, TOKEN, meaningOf) : reading;
}

/** Replaces each token, and remembers where each character comes from. Takes time in proportion to the text; the same object when nothing changes. */
function replaced(reading: ReadableText, pattern: RegExp, meaningAt: (token: string, next: string) => string): ReadableText {
  const { text } = reading;
  const replacements: Replacement[] = [];
  let readable = '';
  let done = 0;
  for (const { 0: token, index } of text.matchAll(pattern)) {
    const end = index + token.length;
    const meaning = meaningAt(token, text[end] ?? '');
    if (meaning === token) continue;
    readable += text.slice(done, index);
    replacements.push({ at: readable.length, length: meaning.length, start: index, end });
    readable += meaning;
    done = end;
  }
  if (done === 0) return reading;
  return {
    text: readable + text.slice(done),
    startOf: (index) => reading.startOf(sourceStart(index, replacements)),
    endOf: (index) => reading.endOf(sourceEnd(index, replacements)),
  };
}

/** A token at `start` up to `end` of the original, and what stands for it in the readable text. */
interface Replacement {
  readonly at: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

const NO_REPLACEMENT: Replacement = { at: 0, length: 0, start: 0, end: 0 };

/** The last replacement that begins at the index or before. Characters behind it follow what was replaced. */
function lastUpTo(index: number, replacements: readonly Replacement[]): Replacement {
  let low = 0;
  let high = replacements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((replacements[middle]?.at ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return replacements[low - 1] ?? NO_REPLACEMENT;
}

function sourceStart(index: number, replacements: readonly Replacement[]): number {
  const { at, length, start, end } = lastUpTo(index, replacements);
  const behind = index - at - length;
  return behind < 0 ? start : end + behind;
}

function sourceEnd(index: number, replacements: readonly Replacement[]): number {
  const { at, length, end } = lastUpTo(index - 1, replacements);
  return end + Math.max(0, index - at - length);
}

function meaningOf(token: string, next: string): string {
  const decoded = unescaped(token);
  return decoded.length === 1 && decoded >= ' ' && decoded <= '~' ? decoded : seen(decoded, next);
}

/** What is seen of a character: nothing, or its compatibility form. */
function seen(character: string, next: string): string {
  if (UNSEEN.test(character) && !BLANK.test(character)) return '';
  // Its three dots would be taken for a name.
  const plain = character === '…' ? character : character.normalize('NFKC');
  return plain === IDEOGRAPHIC_FULL_STOP && /[0-9a-z]/i.test(next) ? '.' : plain;
}

function unescaped(token: string): string {
  if (token.startsWith('%')) return percentDecoded(token);
  if (token.startsWith('&')) return entityDecoded(token);
  return token.startsWith('\\') && token.length > 1 ? token.slice(1) : token;
}
