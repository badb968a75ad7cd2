import type { Document, LineCounter, YAMLParseError } from 'yaml';

export interface SyntaxProblem {
  readonly line: number;
  /** What is wrong, and how to fix it where that is known. */
  readonly problem: string;
}

/** The parser reports one mistake several times, so only one problem is returned for each line. */
export function syntaxProblems({ errors }: Document, lines: LineCounter): readonly SyntaxProblem[] {
  const places = new Map<number, YAMLParseError[]>();
  for (const error of errors) {
    const { line } = lines.linePos(error.pos[0]);
    const others = places.get(line);
    if (others === undefined) places.set(line, [error]);
    else others.push(error);
  }
  return [...places].map(([line, found]) => ({ line, problem: isIndentation(found) ? INDENTATION : `is not valid YAML: ${firstLineOf(found)}` }));
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

function firstLineOf([error]: readonly YAMLParseError[]): string {
  return error?.message.split('\n', 1)[0] ?? '';
}
