import { parseYaml, YamlError } from '../documents/parse-yaml.js';

/** A Markdown file, split into its front matter and the rest. */
export interface FrontMatterFile {
  /** The parsed YAML between the two `---` lines. */
  readonly data: unknown;
  readonly body: string;
  /** The line of the file on which the body begins, from 1. */
  readonly bodyLine: number;
}

const FENCE = '---';
/** As in articles. YAML with many keys takes quadratic time. */
const MAX_CHARACTERS = 16_384;

/** Splits a Markdown file. Returns a message that says what is wrong and how to fix it if the front matter cannot be read. */
export function readFrontMatter(text: string): FrontMatterFile | string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE) return 'has no front matter; begin the file with a line ---, YAML keys such as title, and another line ---';
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (end < 0) return 'has no end of its front matter; write a line --- after its last key';
  const [data, problem] = valueOf(lines.slice(1, end).join('\n'));
  return problem ?? { data, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

function valueOf(header: string): readonly [value: unknown, problem: string | null] {
  if (header.length > MAX_CHARACTERS) return [null, `has front matter of more than ${String(MAX_CHARACTERS)} characters; shorten it`];
  try {
    return [parseYaml(header), null];
  } catch (error) {
    const line = error instanceof YamlError ? error.line : null;
    return [null, `has front matter that is not valid YAML${line === null ? '' : ` (line ${String(line + 1)})`}; correct it`];
  }
}
