import type MarkdownIt from 'markdown-it';

type Token = ReturnType<MarkdownIt['parse']>[number];

/** Headings get the ids by which links on GitHub find them, or those that the author gave: `## Usage {#use}`. */
export function withHeadingIds(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading ids', ({ tokens }) => {
    const counts = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      const content = tokens[index + 1]?.children ?? [];
      if (token.type === 'heading_open') token.attrSet('id', givenId(content) ?? numbered(slugOf(content), counts));
    }
  });
}

/** The id that the author gave, which is removed from the text. */
function givenId(content: readonly Token[]): string | null {
  const last = content.at(-1);
  if (last?.type !== 'text') return null;
  const start = Math.max(0, last.content.lastIndexOf('{#'));
  const [, id] = /^\{#([^{}\s]{1,200})\}\s*$/.exec(last.content.slice(start)) ?? [];
  if (id === undefined) return null;
  last.content = last.content.slice(0, start).trimEnd();
  return id;
}

function slugOf(content: readonly Token[]): string {
  const heading = content.map(({ type, content: text }) => (type === 'html_inline' ? '' : text)).join('');
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** `usage`, `usage-1`, `usage-2` for headings with the same words. */
function numbered(slug: string, counts: Map<string, number>): string {
  const count = counts.get(slug) ?? 0;
  counts.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${String(count)}`;
}
