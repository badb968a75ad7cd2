import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node, type YAMLMap } from 'yaml';
import { pathText, type Problem } from './validation/problems.js';
import { ConfigError } from './config-error.js';
import { syntaxProblems } from './syntax-problems.js';
import { refuseHeavyYaml } from './yaml-limits.js';

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
    refuseHeavyYaml(content, file);
    this.#document = withoutStackTraces(() =>
      parseDocument(content, { lineCounter: this.#lines, uniqueKeys: false, prettyErrors: false, merge: mergesKeys }),
    );
    const problems = syntaxProblems(this.#document, this.#lines);
    const lines = problems.slice(0, MOST_PROBLEMS).map(({ line, problem }) => `${file}:${String(line)}: ${problem}`);
    if (problems.length > 0) throw new ConfigError([...lines, ...this.#more(problems)]);
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
      throw new ConfigError([`${this.#file}:1: is not valid YAML: ${firstLine(error instanceof Error ? error.message : '')}`]);
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

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
