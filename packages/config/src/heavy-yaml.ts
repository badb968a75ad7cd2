import { CST, Lexer } from 'yaml';

/** Maximum size of the file in bytes. A list of 99,999 repositories has 1.5 MB. */
export const MOST_CONFIG_BYTES = 2 * 1_024 * 1_024;
const MOST_LINES = 150_000;
/** Values and punctuation marks together. A repository takes 2, or 7 to 10 with its id. */
const MOST_PARTS = 400_000;
/** The configuration itself needs 4. */
const MOST_LEVELS = 32;
/** Dashes and question marks on one line: each starts a list or a map inside the previous one. */
const MOST_ON_ONE_LINE = 32;
/** Keys that begin with a question mark. The parser takes time that grows with the fifth power of their depth, also over several lines. */
const MOST_EXPLICIT_KEYS = 20;

/** Tokens that are cheap to parse, or that the number of lines limits. `scalar` only announces a value, which is the next token. */
const CHEAP: ReadonlySet<string | null> = new Set(['space', 'newline', 'comment', 'byte-order-mark', 'scalar']);
const OPENS: ReadonlySet<string | null> = new Set(['flow-seq-start', 'flow-map-start']);
const CLOSES: ReadonlySet<string | null> = new Set(['flow-seq-end', 'flow-map-end']);
const NESTS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Why a text would keep the parser busy for seconds, and the line where that shows; `null` if it would not. Its own run time is linear in the length of the text. To be
 * called before a text is parsed: the server reads its configuration while it answers requests, and anybody can write the front matter of an article.
 */
export function heavyYaml(text: string, mostParts = MOST_PARTS): { readonly line: number; readonly problem: string } | null {
  if (text.length > MOST_CONFIG_BYTES)
    return { line: 1, problem: `the file is larger than ${String(MOST_CONFIG_BYTES / 1_024 / 1_024)} MB; make it smaller` };
  if (text.split('\n', MOST_LINES + 2).length > MOST_LINES + 1)
    return { line: MOST_LINES + 1, problem: `the file has more than ${count(MOST_LINES)} lines; make it smaller` };
  const weight = new Weight(mostParts);
  for (const token of new Lexer().lex(text)) {
    const problem = weight.add(CST.tokenType(token), token);
    if (problem !== null) return { line: weight.line, problem };
  }
  return null;
}

class Weight {
  line = 1;
  #parts = 0;
  #levels = 0;
  #onThisLine = 0;
  #explicitKeys = 0;

  constructor(private readonly mostParts: number) {}

  /** Counts a token. Returns the limit that it exceeds, as text; otherwise `null`. */
  add(type: string | null, token: string): string | null {
    this.line += token.split('\n').length - 1;
    this.#nest(type);
    if (CHEAP.has(type)) return null;
    if (this.#levels > MOST_LEVELS || this.#onThisLine > MOST_ON_ONE_LINE)
      return `the file is nested more than ${String(MOST_LEVELS)} levels deep; write the lists that the guide shows`;
    if (this.#explicitKeys > MOST_EXPLICIT_KEYS)
      return `the file has more than ${String(MOST_EXPLICIT_KEYS)} keys that begin with a question mark; write plain keys`;
    return ++this.#parts > this.mostParts ? `the file has more than ${count(this.mostParts)} values and punctuation marks; make it smaller` : null;
  }

  #nest(type: string | null): void {
    if (type === 'explicit-key-ind') this.#explicitKeys++;
    if (type === 'newline') this.#onThisLine = 0;
    else if (OPENS.has(type)) this.#levels++;
    else if (CLOSES.has(type)) this.#levels = Math.max(0, this.#levels - 1);
    else if (NESTS.has(type) && this.#levels === 0) this.#onThisLine++;
  }
}

function count(number: number): string {
  return number.toLocaleString('en');
}
