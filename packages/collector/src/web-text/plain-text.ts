import { createRequire } from 'node:module';
import type { Tokenizer as TokenizerType } from 'htmlparser2';

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
