import { parse, YAMLParseError, type ParseOptions, type DocumentOptions, type ToJSOptions } from 'yaml';

/** YAML that is not valid. */
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

/** The value of a YAML text. Throws a {@link YamlError} with a message of one line. */
export function parseYaml(text: string, options: ParseOptions & DocumentOptions & ToJSOptions = {}): unknown {
  try {
    // Otherwise the parser looks for the place of every error from the beginning, which takes quadratic time.
    return parse(text, { ...options, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    throw new YamlError(message, error instanceof YAMLParseError ? text.slice(0, error.pos[0]).split('\n').length : null);
  }
}
