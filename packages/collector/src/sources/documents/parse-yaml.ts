import { heavyYaml } from '@vitrine/config/internal';
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

export function parseYaml(text: string, options: ParseOptions & DocumentOptions & ToJSOptions = {}): unknown {
  const heavy = heavyYaml(text);
  if (heavy !== null) throw new YamlError('it is nested too deeply', heavy.line);
  try {
    // Otherwise the parser looks for the place of every error from the beginning, which takes quadratic time.
    return parse(text, { ...options, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    throw new YamlError(message, error instanceof YAMLParseError ? text.slice(0, error.pos[0]).split('\n').length : null);
  }
}
