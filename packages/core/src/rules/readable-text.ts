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
  let reading: ReadableText = { text, startOf: (index) => index, endOf: (index) => index };
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
  let reading: ReadableText = { text, startOf: (index) => index, endOf: (index) => index };
  for (let count = 0; count < MOST_DECODINGS; count++) reading = decodedOnce(reading);
  return reading.text;
}

function decodedOnce(reading: ReadableText): ReadableText {
  return CODED.test(reading.text) ? replaced(reading, TOKEN, meaningOf) : reading;
}

/** Replaces each token, and remembers where each character comes from. Takes time in proportion to the text; the same object when nothing changes. */
function replaced(reading: ReadableText, pattern: RegExp, meaningAt: (token: string, next: string) => string): ReadableText {
  const { text } = reading;
  const sources = new Sources();
  let readable = '';
  let done = 0;
  for (const { 0: token, index } of text.matchAll(pattern)) {
    const end = index + token.length;
    const meaning = meaningAt(token, text[end] ?? '');
    if (meaning === token) continue;
    readable += text.slice(done, index);
    sources.add(readable.length, meaning.length, index, end);
    readable += meaning;
    done = end;
  }
  if (done === 0) return reading;
  return {
    text: readable + text.slice(done),
    startOf: (index) => reading.startOf(sources.startOf(index)),
    endOf: (index) => reading.endOf(sources.endOf(index)),
  };
}

/** Where the characters of a text come from: those behind a replacement follow what was replaced. */
class Sources {
  readonly #ats: number[] = [];
  readonly #lengths: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add(at: number, length: number, start: number, end: number): void {
    this.#ats.push(at);
    this.#lengths.push(length);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  startOf(index: number): number {
    const last = this.#lastUpTo(index);
    const behind = index - (this.#ats[last] ?? 0) - (this.#lengths[last] ?? 0);
    return behind < 0 ? (this.#starts[last] ?? 0) : (this.#ends[last] ?? 0) + behind;
  }

  endOf(index: number): number {
    const last = this.#lastUpTo(index - 1);
    const behind = index - (this.#ats[last] ?? 0) - (this.#lengths[last] ?? 0);
    return (this.#ends[last] ?? 0) + Math.max(0, behind);
  }

  /** The last replacement that begins at the index or before; -1 when there is none. */
  #lastUpTo(index: number): number {
    let low = 0;
    let high = this.#ats.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ats[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
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
