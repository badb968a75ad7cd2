/** Text as a browser shows it: entities, percent-escapes and compatibility forms are decoded, invisible characters are removed. */
export interface ReadableText {
  readonly text: string;
  /** The index in the original text at which the source of the character at `index` starts. */
  sourceOf(index: number): number;
}

const CODED = /[%&\0-\x08\x0e-\x1f\x7f-\uffff]/;
/** Percent-encoded UTF-8 bytes, an entity, an invisible control character, or a character outside ASCII. `%25` and `&amp;` can escape other escapes. */
const TOKEN =
  /%(?:25)*(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3})|&(?:amp;)*(?:#\d{1,16};?|#x[0-9a-f]{1,16};?|[a-z]{2,6};)|[\0-\x08\x0e-\x1f]|[^\0-~]/giu;
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const BLANK = /\s/;
/** Mail software treats it as a dot if a name in ASCII continues after it. */
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

/** The text without decoding. */
export function writtenText(text: string): ReadableText {
  return { text, sourceOf: (index) => index };
}

/** Whether decoding may change the text. */
export function isCoded(text: string): boolean {
  return CODED.test(text);
}

/** Decodes a text once, and records where each character comes from. Runs in linear time. */
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
  // NFKC would give three dots, which could be taken for part of a name.
  const plain = decoded === '…' ? decoded : decoded.normalize('NFKC');
  return plain === IDEOGRAPHIC_FULL_STOP && /[0-9a-z]/i.test(next) ? '.' : plain;
}

function percentDecoded(token: string): string {
  try {
    return decodeURIComponent(token.replace(/%(?:25)+/g, '%'));
  } catch {
    return token;
  }
}

function entityDecoded(token: string): string {
  const name = token.replace(/&(?:amp;)*/i, '').replace(/;$/, '');
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? token;
  const code = Number(name.slice(1).replace(/^x/i, '0x'));
  return code > LAST_CODE_POINT ? token : String.fromCodePoint(code);
}
