import {
  CST,
  Lexer,
  type Document,
  LineCounter,
  type YAMLParseError,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type YAMLMap,
} from 'yaml';
import { ConfigError } from './config-error.js';
import { pathText, type Problem } from './validation/problems.js';

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
  readonly #mostParts: number;
  #parts = 0;
  #levels = 0;
  #onThisLine = 0;
  #explicitKeys = 0;

  constructor(mostParts: number) {
    this.#mostParts = mostParts;
  }

  /** Counts a token. Returns the limit that it exceeds, as text; otherwise `null`. */
  add(type: string | null, token: string): string | null {
    this.line += token.split('\n').length - 1;
    this.#nest(type);
    if (CHEAP.has(type)) return null;
    if (this.#levels > MOST_LEVELS || this.#onThisLine > MOST_ON_ONE_LINE)
      return `the file is nested more than ${String(MOST_LEVELS)} levels deep; write the lists that the guide shows`;
    if (this.#explicitKeys > MOST_EXPLICIT_KEYS)
      return `the file has more than ${String(MOST_EXPLICIT_KEYS)} keys that begin with a question mark; write plain keys`;
    return ++this.#parts > this.#mostParts ? `the file has more than ${count(this.#mostParts)} values and punctuation marks; make it smaller` : null;
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

/** One line of text for each line with mistakes, because the parser reports one mistake several times. */
function syntaxProblems({ errors }: Document, text: string, lines: LineCounter, file: string): readonly string[] {
  const places = new Map<number, YAMLParseError[]>();
  for (const error of errors) {
    // A bracket that is not closed is noticed where the next line begins.
    const at = error.message.startsWith('Flow ') ? text.slice(0, error.pos[0]).trimEnd().length : error.pos[0];
    const { line } = lines.linePos(at);
    const found = places.get(line) ?? [];
    found.push(error);
    places.set(line, found);
  }
  return [...places].map(([line, found]) => `${file}:${String(line)}: ${isIndentation(found) ? INDENTATION : syntaxProblem(found[0])}`);
}

/** What to do about mistakes that are common, by the code of the parser, whose own messages use terms of its grammar. */
const REMEDIES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab indents this line; use spaces',
  BLOCK_AS_IMPLICIT_KEY: 'a value has a colon and a space in it; put the value in quotes, as in title: "Acme: Widget"',
  BLOCK_IN_FLOW: 'a value has a colon and a space in it; put the value in quotes, as in title: "Acme: Widget"',
  BAD_INDENT: 'a bracket is not closed; write the missing ] or }. A # after a space begins a comment: put a colour in quotes, as in "#2f5bd0"',
  MULTIPLE_DOCS: 'a second document begins here; remove this line',
  BAD_SCALAR_START: 'a value begins with a character that has a meaning in YAML; put the value in quotes',
};

function syntaxProblem(error: YAMLParseError | undefined): string {
  const remedy = error === undefined ? undefined : REMEDIES[error.code];
  return remedy === undefined ? notYaml(error?.message) : `is not valid YAML: ${remedy}`;
}

function notYaml(message = ''): string {
  return `is not valid YAML: ${message.split('\n', 1)[0] ?? ''}`;
}

const INDENTATION = 'wrong indentation; entries of one list begin in the same column, and so do the keys of one entry';

/** What the parser reports only if an entry of a list or a key begins in another column than the previous one. */
const OTHER_COLUMN = /must start at the same column|^Sequence item without - indicator|^A block sequence may not be used as an implicit map key/;

function isIndentation(errors: readonly YAMLParseError[]): boolean {
  if (errors.some(({ message }) => OTHER_COLUMN.test(message))) return true;
  // A key that is indented below a value. On one line, as in `label: Acme: Code`, it is a missing pair of quotes.
  const codes = errors.map(({ code }) => code);
  return codes.includes('BLOCK_AS_IMPLICIT_KEY') && codes.includes('MULTILINE_IMPLICIT_KEY');
}

/** The maximum number of reported problems, so that they do not fill the log. */
const MOST_PROBLEMS = 100;

/** A parsed YAML text that knows the line of each key and item. */
export class YamlFile {
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #file: string;
  readonly value: unknown;

  /** Throws a {@link ConfigError} with a line for each syntax error. @param mergesKeys whether `<<` takes over the keys of another object, as in YAML 1.1 */
  constructor(text: string, file: string, { mergesKeys = false } = {}) {
    this.#file = file;
    const content = text.replace(/^\uFEFF/, '');
    const heavy = heavyYaml(content);
    if (heavy !== null) throw new ConfigError([`${file}:${String(heavy.line)}: ${heavy.problem}`]);
    this.#document = withoutStackTraces(() =>
      parseDocument(content, { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false, merge: mergesKeys }),
    );
    const problems = syntaxProblems(this.#document, content, this.#lines, file);
    if (problems.length > 0) throw new ConfigError([...problems.slice(0, MOST_PROBLEMS), ...this.#more(problems)]);
    this.value = this.#toValue();
  }

  /** The problems as text, sorted by line: the first hundred, and the number of the others. */
  describe(problems: readonly Problem[]): readonly string[] {
    const first = problems.slice(0, MOST_PROBLEMS);
    const located = first.map((problem) => ({ ...problem, line: this.#lineAt(problem.path) })).sort((a, b) => a.line - b.line);
    const texts = located.map(
      ({ path, message, line }) => `${this.#file}:${String(line)}: ${path.length === 0 ? 'the file' : pathText(path)}: ${message}`,
    );
    return [...texts, ...this.#more(problems)];
  }

  /** Keys that appear twice in one map. */
  duplicateKeys(): readonly Problem[] {
    return this.#duplicatesIn(this.#document.contents, []);
  }

  #more({ length }: readonly unknown[]): readonly string[] {
    return length > MOST_PROBLEMS ? [`${this.#file}: has ${String(length - MOST_PROBLEMS)} more problems; correct these first`] : [];
  }

  #toValue(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      throw new ConfigError([`${this.#file}:1: ${notYaml(error instanceof Error ? error.message : '')}`]);
    }
  }

  #duplicatesIn(node: unknown, path: readonly PropertyKey[]): readonly Problem[] {
    if (isSeq(node)) return node.items.flatMap((item, index) => this.#duplicatesIn(item, [...path, index]));
    if (!isMap(node)) return [];
    const first = new Map<string, number>();
    return node.items.flatMap((pair) => {
      const key = keyText(pair.key);
      const before = first.get(key);
      const own = [...path, key];
      if (before !== undefined) return [{ path: own, message: `is written twice, first on line ${String(before)}; write it once` }];
      first.set(key, this.#lineOf(pair.key) ?? 1);
      return this.#duplicatesIn(pair.value, own);
    });
  }

  /** The line of the key or list item at the path. If it does not exist, the line of its nearest parent. */
  #lineAt(path: readonly PropertyKey[]): number {
    let node: unknown = this.#document.contents;
    let line = 1;
    for (const key of path) {
      const [place, next] = this.#step(this.#resolve(node), key);
      if (place === undefined) break;
      line = this.#lineOf(place) ?? line;
      node = next;
    }
    return line;
  }

  #step(node: unknown, key: PropertyKey): readonly [place: unknown, next: unknown] {
    if (isSeq(node)) return [node.items[Number(key)], node.items[Number(key)]];
    // If a key appears twice, the last one counts, as it does for the value. It is also the one to remove.
    const pair = isMap(node) ? pairOf(node, key) : undefined;
    return [pair?.key, pair?.value];
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  #lineOf(node: unknown): number | null {
    const range = (node as Node | null | undefined)?.range;
    return range === null || range === undefined ? null : this.#lines.linePos(range[0]).line;
  }
}

/** The parser creates an error for each mistake. Capturing the stack traces would take most of the time. */
function withoutStackTraces<Result>(call: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function pairOf(map: YAMLMap, key: PropertyKey) {
  return map.items.findLast((pair) => keyText(pair.key) === String(key));
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
