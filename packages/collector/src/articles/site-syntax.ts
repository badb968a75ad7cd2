/** `{{< figure src="a" >}}`, `{{% note %}}`, `{% include a.html %}` */
const SHORTCODE = /\{\{[<%][^{}]*[>%]\}\}|\{%[^{}]*%\}/g;
const COLONS = /^ {0,3}:{3,}/;
const NAME = /^\{?([a-z][\w-]*)\}?/i;
/** `!!! note "A title"` */
const ADMONITION = /^(?:!!!|\?\?\?\+?) ([a-z][\w-]*)(?: "([^"]{0,200})")?/i;
const FENCE = /^\s*(```|~~~)/;
/** `import A, { b } from './a'` of MDX. */
const IMPORT = /^import (?:[\w*{][^'"]{0,500} from )?(?:'[^']{1,500}'|"[^"]{1,500}");?$/;

/**
 * A text without syntax that only its site generator understands: shortcodes and imports are left out, and admonitions become quotes with their title. Code stays as it
 * is written.
 */
export function withoutSiteSyntax(markdown: string): string {
  const result: string[] = [];
  const quotes: Quote[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const isCode = fence !== null || mark !== undefined;
    if (mark !== undefined) fence = fenceAfter(fence, mark);
    leaveIndented(line, quotes);
    result.push(...(isCode ? [quoted(line, quotes)] : linesFor(line, quotes)));
  }
  return result.join('\n');
}

/** An admonition that is open. */
interface Quote {
  /** Whether its text is indented, and ends with the first line that is not. */
  readonly isIndented: boolean;
}

const INDENT = 4;

function fenceAfter(open: string | null, mark: string): string | null {
  if (open === null) return mark;
  return open === mark ? null : open;
}

function leaveIndented(line: string, quotes: Quote[]): void {
  if (quotes.at(-1)?.isIndented === true && line.trim() !== '' && !line.startsWith(' '.repeat(INDENT)) && !line.startsWith('\t')) quotes.pop();
}

function linesFor(line: string, quotes: Quote[]): readonly string[] {
  if (COLONS.test(line)) return container(line.replace(COLONS, '').trim(), quotes);
  const [, type, title] = ADMONITION.exec(line) ?? [];
  if (type !== undefined) return begun(quotes, type, title, true);
  if (IMPORT.test(line.trimEnd())) return [];
  const shown = line.replace(SHORTCODE, '');
  return shown.trim() === '' && line.trim() !== '' ? [] : [quoted(shown, quotes)];
}

/** `:::tip A title`, `::: warning`, `:::note[A title]`, and `:::` at the end. */
function container(rest: string, quotes: Quote[]): readonly string[] {
  const [start = '', name] = NAME.exec(rest) ?? [];
  if (name === undefined) return ended(quotes);
  return begun(quotes, name, rest.slice(start.length).replace(/^\[([^\]]*)\]$/, '$1'), false);
}

function begun(quotes: Quote[], name: string, title: string | undefined, isIndented: boolean): readonly string[] {
  const before = marksOf(quotes);
  quotes.push({ isIndented });
  const shown = title?.trim() ?? '';
  const marks = marksOf(quotes);
  return [before.trimEnd(), `${marks}**${shown === '' ? name.charAt(0).toUpperCase() + name.slice(1) : shown}**`, marks.trimEnd()];
}

function ended(quotes: Quote[]): readonly string[] {
  return quotes.pop() === undefined ? [] : [marksOf(quotes).trimEnd()];
}

function quoted(line: string, quotes: readonly Quote[]): string {
  if (quotes.length === 0) return line;
  return (marksOf(quotes) + (quotes.at(-1)?.isIndented === true ? line.replace(/^(?: {4}|\t)/, '') : line)).trimEnd();
}

/** Deeper ones are not told apart. */
const MOST_QUOTES = 8;

function marksOf({ length }: readonly Quote[]): string {
  return '> '.repeat(Math.min(length, MOST_QUOTES));
}
