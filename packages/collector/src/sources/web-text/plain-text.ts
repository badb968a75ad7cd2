import { createRequire } from 'node:module';
import type { Tokenizer } from 'htmlparser2';
import { hash } from 'node:crypto';

const require = createRequire(import.meta.url);

const HIDDEN = new Set(['script', 'style', 'template', 'head', 'iframe', 'object', 'svg', 'math', 'noscript', 'textarea', 'select']);
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(' '),
);

type TokenizerCallbacks = ConstructorParameters<typeof Tokenizer>[1];

function ignore(): void {}

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

const MAX_NAME = 40;

/** The public id of an item with a name that is unique within its source: the source's label for people, and a hash. Never shows the name, which may be an e-mail address. */
export function idOf(label: string, name: string): string {
  const readable = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-|-$/g, '');
  const short = hash('sha256', JSON.stringify([label, name]), 'hex').slice(0, 20);
  return readable === '' ? short : `${readable}-${short}`;
}
