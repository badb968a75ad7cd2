import { CST, Lexer } from 'yaml';
import { ConfigError } from './config-error.js';

/** Maximum size of the file in bytes. A list of 99,999 repositories has 1.5 MB. */
export const MOST_CONFIG_BYTES = 2 * 1_024 * 1_024;
const MOST_LINES = 150_000;
/** Values and punctuation marks together. A repository takes 2, or 7 to 10 with its id. */
const MOST_PARTS = 400_000;
/** The configuration itself needs 4. */
const MOST_LEVELS = 32;
/** Dashes and question marks on one line: each starts a list or a map inside the previous one. */
const MOST_ON_ONE_LINE = 32;

/** Tokens that are cheap to parse, or that the number of lines limits. `scalar` only announces a value, which is the next token. */
const CHEAP: ReadonlySet<string | null> = new Set(['space', 'newline', 'comment', 'byte-order-mark', 'scalar']);
const OPENS: ReadonlySet<string | null> = new Set(['flow-seq-start', 'flow-map-start']);
const CLOSES: ReadonlySet<string | null> = new Set(['flow-seq-end', 'flow-map-end']);
const NESTS: ReadonlySet<string | null> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Rejects a text that would keep the parser busy for seconds, before it is parsed: the server reads its configuration while it answers requests.
 * Its own run time is linear in the length of the text. Throws a {@link ConfigError}.
 */
export function refuseHeavyYaml(text: string, file: string): void {
  const refuse = (line: number, problem: string): never => {
    throw new ConfigError([`${file}:${String(line)}: ${problem}`]);
  };
  if (text.length > MOST_CONFIG_BYTES) refuse(1, `the file is larger than ${String(MOST_CONFIG_BYTES / 1_024 / 1_024)} MB; make it smaller`);
  if (hasMoreLines(text, MOST_LINES)) refuse(MOST_LINES + 1, `the file has more than ${count(MOST_LINES)} lines; make it smaller`);
  const weight = new Weight();
  for (const token of new Lexer().lex(text)) {
    const problem = weight.add(CST.tokenType(token), token);
    if (problem !== null) refuse(weight.line, problem);
  }
}

class Weight {
  line = 1;
  #parts = 0;
  #levels = 0;
  #onThisLine = 0;

  /** Counts a token. Returns the limit that it exceeds, as text; otherwise `null`. */
  add(type: string | null, token: string): string | null {
    this.line += newlinesIn(token);
    this.#nest(type);
    if (CHEAP.has(type)) return null;
    if (this.#levels > MOST_LEVELS || this.#onThisLine > MOST_ON_ONE_LINE)
      return `the file is nested more than ${String(MOST_LEVELS)} levels deep; write the lists that the guide shows`;
    return ++this.#parts > MOST_PARTS ? `the file has more than ${count(MOST_PARTS)} values and punctuation marks; make it smaller` : null;
  }

  #nest(type: string | null): void {
    if (type === 'newline') this.#onThisLine = 0;
    else if (OPENS.has(type)) this.#levels++;
    else if (CLOSES.has(type)) this.#levels = Math.max(0, this.#levels - 1);
    else if (NESTS.has(type) && this.#levels === 0) this.#onThisLine++;
  }
}

function hasMoreLines(text: string, most: number): boolean {
  let at = -1;
  for (let lines = 0; lines <= most; lines++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return false;
  }
  return true;
}

function newlinesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
