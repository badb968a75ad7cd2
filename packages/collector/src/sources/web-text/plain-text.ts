import { createRequire } from 'node:module';
import type { Tokenizer } from 'htmlparser2';
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

type TokenizerCallbacks = ConstructorParameters<typeof Tokenizer>[1];

function ignore(): void {}

/** What a text is not made of. */
const IGNORED = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
};

/** The text of HTML: without markup, and with entities decoded. Blocks are separated by a space. */
export function plainText(markup: string): string {
  if (!/[<&]/.test(markup)) return markup;
  let text = '';
  let openHidden = 0;
  const add = (piece: string): void => {
    if (openHidden === 0) text += piece;
  };
  const pass = (start: number, end: number, opened: 1 | -1): void => {
    const name = markup.slice(start, end).toLowerCase();
    if (HIDDEN.has(name)) openHidden = Math.max(0, openHidden + opened);
    if (!INLINE.has(name)) text += ' ';
  };
  const callbacks: TokenizerCallbacks = {
    ...IGNORED,
    ontext(start, end) {
      add(markup.slice(start, end));
    },
    ontextentity(codepoint) {
      add(String.fromCodePoint(codepoint));
    },
    onopentagname(start, end) {
      pass(start, end, 1);
    },
    onclosetag(start, end) {
      pass(start, end, -1);
    },
  };
  // The tokenizer and not the parser, which takes quadratic time for elements that are never closed.
  // Loaded with the first text, because many configurations have no source with HTML.
  const parser = require('htmlparser2') as typeof import('htmlparser2');
  const tokenizer = new parser.Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(markup);
  tokenizer.end();
  return text;
}

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
