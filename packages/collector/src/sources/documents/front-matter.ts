import { heavyYaml } from '@vitrine/config/internal';
import { parse, type Tags, YAMLParseError } from 'yaml';

/** Some programs name the form. */
const BEGINNING = /^---[ \t]*(?:yaml)?$/i;
/** Other programs also read three dots as its end, blank lines before it, and spaces after its lines. */
const ENDS: ReadonlySet<string> = new Set(['---', '...']);
const KEY = /^\s*(?:\{\s*)?(["']?)[\p{L}\p{N}_.-]+\1\s*:(?:\s|$)/u;
const BLANK_OR_COMMENT = /^\s*(?:#|$)/;
/** YAML with many keys takes quadratic time. */
const MAX_CHARACTERS = 16_384;

/**
 * Splits a text into its front matter (`undefined` without one) and its body, which begins on `bodyLine`, from 1. Returns a message that follows the name of the file if the
 * front matter cannot be read.
 */
export function readFrontMatter(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const none = { data: undefined, body: lines.join('\n'), bodyLine: 1 };
  const start = lines.findIndex((line) => line.trim() !== '');
  if (!BEGINNING.test(lines[start]?.trim() ?? '')) return none;
  const end = lines.findIndex((line, index) => index > start && ENDS.has(line.trimEnd()));
  if (end < 0) return isKeys(lines.slice(start + 1)) ? 'has no end of its front matter; write a line --- after its last key' : none;
  const read = yamlIn(lines.slice(start + 1, end).join('\n'), start + 1);
  return typeof read === 'string' ? read : { ...read, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

/** Lines of keys without an end can be those of a draft. Otherwise the first line is a rule of Markdown. */
function isKeys(lines: readonly string[]): boolean {
  return KEY.test(lines.find((line) => !BLANK_OR_COMMENT.test(line)) ?? '');
}

/** @param above how many lines of the file are above */
function yamlIn(header: string, above: number): { readonly data: unknown } | string {
  if (header.length > MAX_CHARACTERS) return `has front matter of more than ${String(MAX_CHARACTERS)} characters; shorten it`;
  const invalid = (problem: string, line: number | null): string =>
    `has front matter that is not valid YAML: ${problem}${line === null ? '' : ` (line ${String(above + line)})`}; correct it`;
  const heavy = heavyYaml(header);
  if (heavy !== null) return invalid('it is nested too deeply', heavy.line);
  try {
    // Otherwise the parser looks for the place of every error from the beginning, which takes quadratic time.
    return { data: parse(header, { prettyErrors: false, logLevel: 'error', customTags: withoutNumbers }) as unknown };
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
    return invalid(message, error instanceof YAMLParseError ? header.slice(0, error.pos[0]).split('\n').length : null);
  }
}

/** Numbers stay texts: the version 2.10 is not 2.1. */
function withoutNumbers(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag));
}
