import { grouped } from '@vitrine/core';
import { type Document, LineCounter, type YAMLParseError, isAlias, isMap, isScalar, isSeq, parseDocument, visit, type Node } from 'yaml';
import { heavyYaml } from './heavy-yaml.js';
import { ConfigError, pathText, type Problem } from './validation/problems.js';

/** One line of text for each line with mistakes, because the parser reports one mistake several times. */
function syntaxProblems({ errors }: Document, text: string, lines: LineCounter, file: string): readonly string[] {
  const lineOf = ({ message, pos: [start] }: YAMLParseError): number =>
    // A bracket that is not closed is noticed where the next line begins.
    lines.linePos(message.startsWith('Flow ') ? text.slice(0, start).trimEnd().length : start).line;
  return [...grouped(errors, lineOf)].map(([line, found]) => `${file}:${String(line)}: ${isIndentation(found) ? INDENTATION : notYaml(found[0])}`);
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

function notYaml({ code, message }: Pick<YAMLParseError, 'message'> & { readonly code?: string } = { message: '' }): string {
  return `is not valid YAML: ${REMEDIES[code ?? ''] ?? message.split('\n', 1)[0] ?? ''}`;
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
      parseDocument(content, { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false, merge: mergesKeys, logLevel: 'error' }),
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
      const line = this.#lineOf(unknownAliasIn(this.#document)) ?? 1;
      throw new ConfigError([`${this.#file}:${String(line)}: ${notYaml(error instanceof Error ? { message: error.message } : undefined)}`]);
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
      const [place, next] = stepInto(isAlias(node) ? node.resolve(this.#document) : node, key);
      if (place === undefined) break;
      line = this.#lineOf(place) ?? line;
      node = next;
    }
    return line;
  }

  #lineOf(node: unknown): number | null {
    const range = (node as Node | null | undefined)?.range;
    return range === null || range === undefined ? null : this.#lines.linePos(range[0]).line;
  }
}

/** The first alias without an anchor before it; `null` if there is none. */
function unknownAliasIn(document: Document): Node | null {
  const anchors = new Set<string>();
  let found: Node | null = null;
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) found ??= anchors.has(node.source) ? null : node;
      else if (node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return found;
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

function stepInto(node: unknown, key: PropertyKey): readonly [place: unknown, next: unknown] {
  if (isSeq(node)) return [node.items[Number(key)], node.items[Number(key)]];
  // If a key appears twice, the last one counts, as it does for the value. It is also the one to remove.
  const pair = isMap(node) ? node.items.findLast((one) => keyText(one.key) === String(key)) : undefined;
  return [pair?.key, pair?.value];
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
