import { createRequire } from 'node:module';
import type { Tokenizer as TokenizerType } from 'htmlparser2';
import { hash } from 'node:crypto';

/** How far an XML declaration reaches at most. */
const DECLARATION_BYTES = 1_024;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const XML_ENCODING = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/;

/**
 * The text of a document. Its encoding is, in this order: that of a byte order mark, of the `Content-Type`, of the XML declaration. Without any of these, it is
 * UTF-8, or windows-1252 if most of its other characters are not UTF-8. Bytes that do not fit the encoding become U+FFFD. `null` if the encoding is unknown.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string | null {
  const label = markOf(bytes) ?? CHARSET.exec(contentType)?.[1] ?? declaredIn(bytes) ?? (isMostlyUtf8(bytes) ? 'utf-8' : 'windows-1252');
  try {
    const decoder = new TextDecoder(label);
    // In two steps, because some versions of Node decode windows-1252 as ISO-8859-1 when they get everything at once.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return null;
  }
}

const REPLACED = 0xfffd;
const LAST_ASCII = 0x7f;

/** A text of UTF-8 that has a few broken characters stays UTF-8. Other encodings hardly ever look like it. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let balance = 0;
  for (const character of new TextDecoder().decode(bytes)) {
    const code = character.codePointAt(0) ?? 0;
    if (code > LAST_ASCII) balance += code === REPLACED ? -1 : 1;
  }
  return balance >= 0;
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

function declaredIn(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = XML_ENCODING.exec(head)?.[1] ?? null;
  // A declaration that can be read byte by byte is not UTF-16, even if it says so.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

const require = createRequire(import.meta.url);

/** Elements whose content is not text for readers. */
const HIDDEN = new Set(['script', 'style', 'template', 'head', 'iframe', 'object', 'svg', 'math', 'noscript', 'textarea', 'select']);
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(' '),
);

/** The text of HTML: without markup, and with entities decoded. Blocks are separated by a space. */
export function plainText(markup: string): string {
  if (!/[<&]/.test(markup)) return markup;
  const collector = new TextCollector(markup);
  // The tokenizer and not the parser, which takes quadratic time for elements that are never closed.
  // Loaded with the first text, because many configurations have no source with HTML.
  const { Tokenizer } = require('htmlparser2') as typeof import('htmlparser2');
  const tokenizer = new Tokenizer({ decodeEntities: true }, collector);
  tokenizer.write(markup);
  tokenizer.end();
  return collector.text;
}

type TokenizerCallbacks = ConstructorParameters<typeof TokenizerType>[1];

/** Collects the text outside of hidden elements. Gets positions in the markup. */
class TextCollector implements TokenizerCallbacks {
  text = '';
  readonly #markup: string;
  /** How many hidden elements are open. */
  #hidden = 0;

  constructor(markup: string) {
    this.#markup = markup;
  }

  ontext(start: number, end: number): void {
    this.#add(this.#markup.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#add(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    this.#pass(start, end, 1);
  }

  onclosetag(start: number, end: number): void {
    this.#pass(start, end, -1);
  }

  #add(text: string): void {
    if (this.#hidden === 0) this.text += text;
  }

  #pass(start: number, end: number, opened: 1 | -1): void {
    const name = this.#markup.slice(start, end).toLowerCase();
    if (HIDDEN.has(name)) this.#hidden = Math.max(0, this.#hidden + opened);
    if (!INLINE.has(name)) this.text += ' ';
  }

  readonly onattribdata = ignore;
  readonly onattribend = ignore;
  readonly onattribentity = ignore;
  readonly onattribname = ignore;
  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onend = ignore;
  readonly onopentagend = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onselfclosingtag = ignore;
}

function ignore(): void {}

const HASH_LENGTH = 20;
const MAX_NAME = 40;

/** The public id of an item with a name that is unique within its source: the source's label for people, and a hash. Never shows the name, which may be an e-mail address. */
export function idOf(label: string, name: string): string {
  const readable = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-|-$/g, '');
  const short = hash('sha256', JSON.stringify([label, name]), 'hex').slice(0, HASH_LENGTH);
  return readable === '' ? short : `${readable}-${short}`;
}
