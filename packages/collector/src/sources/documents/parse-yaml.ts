import { parse, YAMLParseError, type ParseOptions, type DocumentOptions, type ToJSOptions } from 'yaml';

export class YamlError extends Error {
  override readonly name = 'YamlError';

  /** @param line of the text, from 1; `null`: not known */
  constructor(
    message: string,
    readonly line: number | null,
  ) {
    super(message);
  }
}

const MOST_LEVELS = 64;
/** Each of these can begin a list or a map inside of another one on the same line. */
const MOST_ON_ONE_LINE = 100;
/** Keys that begin with a question mark. The parser takes time that grows with the fifth power of their depth, also over several lines. */
const MOST_EXPLICIT_KEYS = 20;

/**
 * The line on which a text is nested too deeply. The parser calls itself for each level, and Node ends the process if a regular expression is compiled when the stack is
 * nearly full. Brackets in texts count, too.
 */
function tooDeepAt(text: string): number | null {
  let [levels, keys] = [0, 0];
  const found = text.split('\n').findIndex((line) => {
    const marks = line.match(/[[\]{}]/g) ?? [];
    const isDeep = marks.some((mark) => (levels = Math.max(0, levels + (/[[{]/.test(mark) ? 1 : -1))) > MOST_LEVELS);
    keys += line.match(/(?<![^\s[{,-])\?(?=\s|$)/g)?.length ?? 0;
    return isDeep || keys > MOST_EXPLICIT_KEYS || (line.match(/[-?:](?=\s)/g)?.length ?? 0) > MOST_ON_ONE_LINE;
  });
  return found < 0 ? null : found + 1;
}

export function parseYaml(text: string, options: ParseOptions & DocumentOptions & ToJSOptions = {}): unknown {
  const line = tooDeepAt(text);
  if (line !== null) throw new YamlError('it is nested too deeply', line);
  try {
    // Otherwise the parser looks for the place of every error from the beginning, which takes quadratic time.
    return parse(text, { ...options, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    throw new YamlError(message, error instanceof YAMLParseError ? text.slice(0, error.pos[0]).split('\n').length : null);
  }
}
