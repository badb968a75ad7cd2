import { codeIn, outsideCode } from './markdown-code.js';

/** `{{< figure src="a" >}}`, `{{% note %}}`, `{% include a.html %}`, `{{ youtube(id="a") }}` of Zola, and attributes of kramdown: `{: .wide}`, `{:toc}` */
const SHORTCODE =
  /\{\{[<%][^{}]*[>%]\}\}|\{%(?:[^{}]|\{\{[^{}]*\}\})*%\}|\{\{\s?\w+\([^{}]*\)\s?\}\}|\{:(?:\s?[.#]?[\w-][^{}\n>]*|:\/?[a-z][^{}\n]*)\}/g;
/** A list whose place kramdown gives to the table of contents. */
const CONTENTS = /^(?:[*+-]|1\.) [^\n]{0,200}\n\{:\s?toc\}/gm;
/** `{/* a comment of MDX *\/}`, `{% comment %} of Liquid {% endcomment %}`, with its end, which is empty if it is not closed. */
const COMMENT = /\{\/\*[^]*?(\*\/\}|$)|\{%-?\s?comment\s?-?%\}[^]*?(\{%-?\s?endcomment\s?-?%\}|$)/g;
const CODE_BEGINNING =
  /^[ \t]{0,8}(?:\{%-?\s?(?:highlight|codeblock)\b([^%{}]*)%\}|\{\{[<%]\s?highlight\b([^{}]*)[>%]\}\})[ \t]*\n?(?:\{%-?\s?raw\s?-?%\}[ \t]*\n?)?/gm;
const CODE_END =
  /(?:\n?\{%-?\s?endraw\s?-?%\}[ \t]*)?\n?[ \t]{0,8}(?:\{%-?\s?end(?:highlight|codeblock)\s?-?%\}|\{\{[<%]\s?\/\s?highlight\s?[>%]\}\})[ \t]*\n?/g;

/** Stands for what is left out, so that lines which have nothing else can be left out, too. */
const REMOVED = '\x01';

const COLONS = /^ {0,3}:{3,}/;
const NAME = /^\{?([a-z][\w-]*)\}?/i;
/** `!!! note "A title"` */
const ADMONITION = /^(?:!!!|\?\?\?\+?) ([a-z][\w-]*)(?: "([^"]{0,200})")?/i;
/** `> [!NOTE]` of GitHub. */
const ALERT = /^(\s{0,3}(?:>\s?){1,8})\[!([a-z]+)\]\s*$/i;
/** `import A, { b } from '../../articles/a'` of MDX. */
const IMPORT = /^import (?:[\w*{][^'"]{0,500} from )?(?:'[^']{1,500}'|"[^"]{1,500}");?$/;

/** Without syntax that only its site generator understands: shortcodes and imports are left out, admonitions become quotes. Code stays. */
export function withoutSiteSyntax(markdown: string): string {
  const result: string[] = [];
  const quotes: Quote[] = [];
  const lines = withoutShortcodes(markdown).split('\n');
  const isCode = codeIn(lines);
  for (const [index, line] of lines.entries()) {
    if (quotes.at(-1) === 'indented' && line.trim() !== '' && !INDENT.test(line)) quotes.pop();
    result.push(...(isCode[index] === true ? [quoted(line, quotes)] : linesFor(line, quotes)));
  }
  return result.join('\n');
}

/** The text of an indented quote ends with the first line that is not indented. */
type Quote = 'between colons' | 'indented';

const INDENT = /^(?: {4}|\t)/;

function linesFor(line: string, quotes: Quote[]): readonly string[] {
  if (COLONS.test(line)) return container(line.replace(COLONS, '').trim(), quotes);
  const [, type, title] = ADMONITION.exec(line) ?? [];
  if (type !== undefined) return begun(quotes, 'indented', type, title);
  if (IMPORT.test(line.trimEnd())) return [];
  const shown = line
    .replace(ALERT, (_, marks: string, name: string) => `${marks}**${capitalized(name.toLowerCase())}**\n${marks.trimEnd()}`)
    .replaceAll(REMOVED, '');
  return shown.trim() === '' && line.trim() !== '' ? [] : [quoted(shown, quotes)];
}

/** `:::tip A title`, `::: warning`, `:::note[A title]`, and `:::` at the end. */
function container(rest: string, quotes: Quote[]): readonly string[] {
  const [start = '', name] = NAME.exec(rest) ?? [];
  if (name !== undefined) return begun(quotes, 'between colons', name, rest.slice(start.length).replace(/^\[([^\]]*)\]$/, '$1'));
  return quotes.pop() === undefined ? [] : [marksOf(quotes).trimEnd()];
}

function begun(quotes: Quote[], quote: Quote, name: string, title = ''): readonly string[] {
  const before = marksOf(quotes);
  quotes.push(quote);
  const marks = marksOf(quotes);
  return [before.trimEnd(), `${marks}**${title.trim() || capitalized(name)}**`, marks.trimEnd()];
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function quoted(line: string, quotes: readonly Quote[]): string {
  if (quotes.length === 0) return line;
  return (marksOf(quotes) + (quotes.at(-1) === 'indented' ? line.replace(INDENT, '') : line)).trimEnd();
}

/** Deeper ones are not told apart. */
const MOST_QUOTES = 8;

function marksOf({ length }: readonly Quote[]): string {
  return '> '.repeat(Math.min(length, MOST_QUOTES));
}

/** A text with a mark in place of each shortcode and comment. Code stays, also that in a line. */
function withoutShortcodes(markdown: string): string {
  return outsideCode(withFences(markdown.replaceAll(REMOVED, '')), (text) =>
    text
      .replace(COMMENT, (comment, mdx?: string, liquid?: string) => ((mdx ?? liquid) === '' ? comment : REMOVED))
      .replace(CONTENTS, REMOVED)
      .replace(SHORTCODE, REMOVED),
  );
}

/** Code between `{% highlight js %}` of Jekyll, `{% codeblock %}` of Hexo or `{{< highlight go >}}` of Hugo and its end as code between fences. */
function withFences(markdown: string): string {
  const count = (pattern: RegExp): number => markdown.match(pattern)?.length ?? 0;
  const pieces = count(CODE_BEGINNING);
  if (pieces === 0 || pieces !== count(CODE_END)) return markdown;
  return outsideCode(markdown, (text) =>
    text
      .replace(CODE_BEGINNING, (_, liquid: string = '', hugo: string = '') => `~~~~${/^\s+(?:lang:)?(\w+)/.exec(liquid + hugo)?.[1] ?? ''}\n`)
      .replace(CODE_END, '\n~~~~\n'),
  );
}
