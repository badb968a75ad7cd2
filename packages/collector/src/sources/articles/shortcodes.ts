import { outsideCode } from './markdown-code.js';

/** `{{< figure src="a" >}}`, `{{% note %}}`, `{% include a.html %}`, `{{ youtube(id="a") }}` of Zola, and attributes of kramdown: `{: .wide}`, `{:toc}` */
const SHORTCODE =
  /\{\{[<%][^{}]*[>%]\}\}|\{%(?:[^{}]|\{\{[^{}]*\}\})*%\}|\{\{\s?\w+\([^{}]*\)\s?\}\}|\{:(?:\s?[.#]?[\w-][^{}\n>]*|:\/?[a-z][^{}\n]*)\}/g;
/** A list whose place kramdown gives to the table of contents. */
const CONTENTS = /^(?:[*+-]|1\.) [^\n]{0,200}\n\{:\s?toc\}/gm;
/** `{/* a comment of MDX *\/}`, `{% comment %} of Liquid {% endcomment %}` */
const COMMENT_MARK = /(\{\/\*|\*\/\}|\{%-?\s?(?:end)?comment\s?-?%\})/;
const CODE_BEGINNING =
  /^[ \t]{0,8}(?:\{%-?\s?(?:highlight|codeblock)\b([^%{}]*)%\}|\{\{[<%]\s?highlight\b([^{}]*)[>%]\}\})[ \t]*\n?(?:\{%-?\s?raw\s?-?%\}[ \t]*\n?)?/gm;
const CODE_END =
  /(?:\n?\{%-?\s?endraw\s?-?%\}[ \t]*)?\n?[ \t]{0,8}(?:\{%-?\s?end(?:highlight|codeblock)\s?-?%\}|\{\{[<%]\s?\/\s?highlight\s?[>%]\}\})[ \t]*\n?/g;

/** Stands for what is left out, so that lines which have nothing else can be left out, too. */
export const REMOVED = '\x01';
/** A text with a mark in place of each shortcode and comment. Code stays, also that in a line. */
export function withoutShortcodes(markdown: string): string {
  return outsideCode(withFences(markdown.replaceAll(REMOVED, '')), (text) =>
    withoutComments(text).replace(CONTENTS, REMOVED).replace(SHORTCODE, REMOVED),
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

function withoutComments(text: string): string {
  let shown = '';
  let end: RegExp | null = null;
  for (const piece of text.split(COMMENT_MARK)) {
    if (end === null) {
      end = endOfComment(piece);
      if (end === null) shown += piece;
    } else if (end.test(piece)) [shown, end] = [shown + REMOVED, null];
  }
  // A comment that is not closed is none.
  return end === null ? shown : text;
}

/** The end of the comment that a mark begins; `null`: it begins none. */
function endOfComment(mark: string): RegExp | null {
  if (mark === '{/*') return /^\*\/\}$/;
  return /^\{%-?\s?comment/.test(mark) ? /^\{%-?\s?endcomment/ : null;
}
