import { percentDecoded } from './percent-decoded.js';

/** Text as a reader's software shows it: entities, percent-escapes and compatibility forms decoded, characters that nobody sees left out. */
export interface ReadableText {
  readonly text: string;
  /** Where in the original the source of the character at this index begins. */
  sourceOf(index: number): number;
}

const CODED = /[%&\0-\x08\x0e-\x1f\x7f-\uffff]/;
/** A character of UTF-8 bytes, an entity, an unseen control character, or anything beyond ASCII. `%25` and `&amp;` are escapes of escapes. */
const TOKEN =
  /%(?:25)*(?:[0-7][0-9a-f]|[cd][0-9a-f]%(?:25)*[89ab][0-9a-f]|[ef][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){2,3})|&(?:amp;)*(?:#\d{1,16};?|#x[0-9a-f]{1,16};?|[a-z]{2,6};)|[\0-\x08\x0e-\x1f]|[^\0-~]/giu;
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const BLANK = /\s/;
/** Mail software takes it for a dot, where a name in ASCII goes on. */
const IDEOGRAPHIC_FULL_STOP = '\u3002';
const ENTITIES = new Map([
  ['commat', '@'],
  ['period', '.'],
  ['lowbar', '_'],
  ['hyphen', '-'],
  ['quot', '"'],
  ['lt', '<'],
  ['gt', '>'],
]);
const LAST_CODE_POINT = 0x10ffff;

/** The text as it is written. */
export function writtenText(text: string): ReadableText {
  return { text, sourceOf: (index) => index };
}

/** Whether a text may read differently from how it is written. */
export function isCoded(text: string): boolean {
  return CODED.test(text);
}

/** Decodes a text once, and remembers where each character comes from. Takes time in proportion to the text. */
export function readableText(text: string): ReadableText {
  let readable = '';
  const sources: number[] = [];
  let done = 0;
  const copyUpTo = (end: number): void => {
    for (let index = done; index < end; index++) sources.push(index);
    readable += text.slice(done, end);
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const meaning = meaningOf(token, text[index + token.length] ?? '');
    if (meaning === token) continue;
    copyUpTo(index);
    for (let unit = 0; unit < meaning.length; unit++) sources.push(index);
    readable += meaning;
    done = index + token.length;
  }
  copyUpTo(text.length);
  return { text: readable, sourceOf: (index) => sources[index] ?? text.length };
}

function meaningOf(token: string, next: string): string {
  const decoded = token.startsWith('%') ? percentDecoded(token) : token.startsWith('&') ? entityDecoded(token) : token;
  if (UNSEEN.test(decoded) && !BLANK.test(decoded)) return '';
  if (decoded.length === 1 && decoded <= '~') return decoded;
  // Its three dots would be taken for a name.
  const plain = decoded === '…' ? decoded : decoded.normalize('NFKC');
  return plain === IDEOGRAPHIC_FULL_STOP && /[0-9a-z]/i.test(next) ? '.' : plain;
}

function entityDecoded(token: string): string {
  const name = token.replace(/&(?:amp;)*/i, '').replace(/;$/, '');
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? token;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  return code > LAST_CODE_POINT ? token : String.fromCodePoint(code);
}
