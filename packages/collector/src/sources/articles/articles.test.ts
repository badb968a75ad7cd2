import fc from 'fast-check';
import { NO_REPOSITORY, type Article } from '@vitrine/core';
import { isTorture } from '@vitrine/test-support';
import { requireLinearGrowth } from '@vitrine/test-support/growth';
import type { FileText } from '../documents/files-source.js';
import type { ArticleOrigin } from './markdown-files.js';
import { firstParagraph, markdownLine } from './markdown-text.js';
import { parseArticle } from './parse-article.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const FIRST_SEEN = Date.UTC(2026, 10, 1);
const ORIGIN: ArticleOrigin = {
  label: 'docs',
  repositoryRef: NO_REPOSITORY,
  publicUrl: null,
  language: 'en',
  defaultUrl: (id) => `https://vitrine.acme.example/api/v1/articles/${encodeURIComponent(id)}`,
};

function article(text: string, origin: Partial<ArticleOrigin> = {}, name = 'guides/first steps.md'): Article | undefined {
  const file: FileText = { name, text, now: NOW, firstSeen: () => FIRST_SEEN };
  return parseArticle(file, { ...ORIGIN, ...origin }).articles[0];
}

const WHOLE = `---
title: First steps
kind: help
summary: How to begin.
tags: [start, api, start]
language: de
version: 2.1
author: Ada <ada@acme.example>
date: 2026-11-18
updated: 2026-11-19T10:00:00Z
url: https://acme.example/help/first
layout: ignored
---
# Something else

The body. Write to team@acme.example.
`;

describe('parseArticle', () => {
  it('takes what the front matter says', () => {
    expect(article(WHOLE)).toEqual({
      kind: 'article',
      repositoryRef: '-',
      id: 'docs/guides/first%20steps',
      articleKind: 'help',
      title: 'First steps',
      summary: 'How to begin.',
      body: '# Something else\n\nThe body. Write to .',
      bodyFormat: 'markdown',
      url: 'https://acme.example/help/first',
      language: 'de',
      tags: ['start', 'api'],
      authorName: 'Ada',
      version: '2.1',
      changes: [],
      publishedAt: Date.UTC(2026, 10, 18),
      updatedAt: Date.UTC(2026, 10, 19, 10),
      sourceUrl: 'https://acme.example/help/first',
      provenance: {
        source: 'docs',
        sourceKind: 'official-source',
        sourceUrl: 'https://acme.example/help/first',
        observedAt: NOW,
        publishedAt: Date.UTC(2026, 10, 18),
        confidence: 'high',
        isOfficialSource: true,
      },
    });
  });

  it('finds title, summary, time and address without front matter', () => {
    expect(
      article('\n# The [guide](a.md)\n\n![logo](a.png)\n\n> quote\n\nIt is *very* `short`,\nsee [there](https://a.example).\n\nMore.\n'),
    ).toMatchObject({
      articleKind: 'article',
      title: 'The guide',
      summary: 'It is very short, see there.',
      publishedAt: FIRST_SEEN,
      updatedAt: null,
      language: 'en',
      authorName: null,
      version: null,
      url: 'https://vitrine.acme.example/api/v1/articles/docs%2Fguides%2Ffirst%2520steps',
    });
    expect(article('---\n---\n')).toMatchObject({ title: 'guides/first steps', summary: '', body: '' });
  });

  it.each([
    ['guides/first steps.md', 'https://acme.example/docs/guides/first%20steps'],
    ['guides/README.md', 'https://acme.example/docs/guides'],
    ['index.markdown', 'https://acme.example/docs'],
    ['posts/_index.md', 'https://acme.example/docs/posts'],
  ])('builds the address of %s under the address of the folder', (name, url) => {
    expect(article('text', { publicUrl: 'https://acme.example/docs' }, name)?.url).toBe(url);
  });

  it.each([
    'draft: true',
    'unlisted: true',
    'expiryDate: 2026-11-20',
    'expiryDate: 1980-01-01',
    'published: false',
    'published: false\ndate: 2020-01-01',
    'draft: true\npublished: true',
  ])('publishes no draft: %j', (lines) => {
    expect(article(`---\n${lines}\n---\ntext`)).toBeUndefined();
  });

  it.each([
    '\n \n---\n@\n---\ntext',
    '--- \t\n@\n---  \ntext',
    '---yaml\n@\n---\ntext',
    '--- YAML \n@\n---\ntext',
    '---\n@\n...\ntext',
    '---\n@\n...',
  ])('reads front matter as other programs do: %j', (form) => {
    for (const draft of ['draft: true', 'Draft: true', 'PUBLISHED: false', 'publishDate: 2999-01-01\ndate: 2020-01-01'])
      expect(article(form.replace('@', draft))).toBeUndefined();
    expect(article(form.replace('@', 'title: T'))).toMatchObject({ title: 'T', body: form.endsWith('text') ? 'text' : '' });
  });

  it.each([
    '+++\ndraft = true\n+++\nSecret',
    '\n+++\ndraft = true\n+++\nSecret',
    '{\n"draft": true\n}\nSecret',
    '{ "draft": true }\nSecret',
    ';;;\n"draft": true\n;;;\nSecret',
    '---json\n{ "draft": true }\n---\nSecret',
    '--- toml\ndraft = true\n---\nSecret',
    'Title: T\nDate: 2026-11-20\nStatus: draft\n\nSecret',
    'date: 2026-11-20\ntitle: T\nstatus: draft\n\nSecret',
    '<!--\n.. title: T\n.. status: draft\n-->\nSecret',
    ...['---', '---yaml'].flatMap((beginning) =>
      ['', '# internal\n', '\n', ' \n\n  # internal\n\n'].flatMap((before) =>
        ['draft: true', '"draft": true', "'draft': true", 'draft : true', '  draft: true', '{draft: true}', '{ "draft": true }', 'título: T'].map(
          (line) => `${beginning}\n${before}${line}\nSecret`,
        ),
      ),
    ),
    '---\ndraft: true\nDraft: false\n---\nSecret',
    '---\nDRAFT: false\nTitle: T\ndraft: true\n---\nSecret',
  ])('refuses front matter of another form, without an end, or with a key twice, so that drafts stay hidden: %j', (text) => {
    expect(() => article(text)).toThrow(expect.objectContaining({ code: 'FRONT_MATTER' }));
  });

  it.each(['Title: a text\n\nText', '# Title\n\nDate: 2026-11-20\nAuthor: Ada', 'Title: one\nand text'])('takes %j for text', (text) => {
    expect(article(text)?.body).toBe(text);
  });

  it('takes a date for `published` as the date', () => {
    expect(article('---\npublished: 2026-11-18\n---\ntext')?.publishedAt).toBe(Date.UTC(2026, 10, 18));
    expect(article('---\npublished: 2026-11-18\ndate: 2026-11-17\n---\ntext')?.publishedAt).toBe(Date.UTC(2026, 10, 17));
  });

  it('publishes nothing before its date, however it is written, and says when it is due', () => {
    const ahead = fc.integer({ min: -50 * 365 * 24 * 60, max: 1_000 * 365 * 24 * 60 });
    fc.assert(
      fc.property(ahead, fc.constantFrom('date', 'published'), fc.boolean(), (minutes, key, isDay) => {
        const time = Math.max(Date.UTC(1990, 0, 1), NOW + minutes * 60_000);
        const text = new Date(time).toISOString().slice(0, isDay ? 10 : undefined);
        const { articles, dueAt } = parseArticle(
          { name: 'a.md', text: `---\n${key}: ${text}\n---\n`, now: NOW, firstSeen: () => FIRST_SEEN },
          ORIGIN,
        );
        const stated = Date.parse(text);
        if (stated > NOW) expect([articles, dueAt]).toEqual([[], stated]);
        else expect(articles).toMatchObject([{ publishedAt: stated }]);
      }),
    );
  });

  it.each([
    ['tags: api paging', ['api', 'paging']],
    ['tags: "api, first steps"', ['api', 'first steps']],
    ['tags:', []],
    ['tags: ""', []],
    ['tags:\n-\n- api\n- ""', ['api']],
  ])('takes tags that are not a list: %j', (line, tags) => {
    expect(article(`---\n${line}\n---\ntext`)?.tags).toEqual(tags);
  });

  it.each(['/help/start', 'start.html', '../start', ''])('ignores the relative address %j', (path) => {
    expect(article(`---\nurl: "${path}"\n---\ntext`, { publicUrl: 'https://acme.example/docs' }, 'a.md')?.url).toBe('https://acme.example/docs/a');
  });

  it.each(['2099-12-31T10:00:00+02', '2099-12-31T25:00:00Z', '9999-12-31T23:59:59-05:00', '""', ''])(
    'shows an article that expires at %j',
    (expiry) => {
      expect(article(`---\nexpiryDate: ${expiry}\nunlisted:\n---\ntext`)).toMatchObject({ body: 'text' });
    },
  );

  it('hides an article from the time at which it expires', () => {
    const expiring = (now: number) => parseArticle({ name: 'a.md', text: '---\nexpiryDate: 2026-11-21\n---\ntext', now, firstSeen: () => 0 }, ORIGIN);
    const expiry = Date.UTC(2026, 10, 21);
    expect(expiring(expiry - 1)).toMatchObject({ articles: [{ body: 'text' }], dueAt: expiry });
    expect(expiring(expiry).articles).toEqual([]);
  });

  it.each([
    ['author: [Ada, Grace <grace@acme.example>]', 'Ada, Grace'],
    ['author: { name: Ada, url: "https://acme.example" }', 'Ada'],
    ['authors: [{ name: Ada }, grace, { url: x }, 7]', 'Ada, grace, 7'],
    ['authors: Ada', 'Ada'],
    ['author:\nauthors: [Ada]', 'Ada'],
    ['author: Ada\nauthors: [Grace]', 'Ada'],
    ['author: [[a], true]', null],
  ])('takes the authors as site generators write them: %j', (lines, name) => {
    expect(article(`---\n${lines}\n---\ntext`)?.authorName).toBe(name);
  });

  it.each([
    ['lang: de', 'de'],
    ['lang: fr\nlanguage: de', 'de'],
    ['lang: de_DE', 'en'],
  ])('takes `lang` for the language: %j', (lines, language) => {
    expect(article(`---\n${lines}\n---\ntext`)?.language).toBe(language);
  });

  it.each(['2.10', '3.0', '007', '1e3', '0x1f', '12345678901234567890'])('takes the number %s as it is written', (number) => {
    expect(article(`---\ntitle: ${number}\nversion: ${number}\ntags: [${number}]\n---\ntext`)).toMatchObject({
      title: number,
      version: number,
      tags: [number],
    });
  });

  it('keeps the characters of code in titles and summaries', () => {
    expect(article('# Use `*` and `datetime.*`\n\nNot **`a_b_c`** but `<b>`.\n')).toMatchObject({
      title: 'Use * and datetime.*',
      summary: 'Not a_b_c but <b>.',
    });
  });

  it('takes a description for the summary', () => {
    expect(article('---\ndescription: How to begin\n---\ntext')?.summary).toBe('How to begin');
    expect(article('---\ndescription: Other\nsummary: How to begin\n---\ntext')?.summary).toBe('How to begin');
  });

  it.each([
    ['pubDate: Jul 08 2026', Date.UTC(2026, 6, 8)],
    ['pubDate: "2026-07-08"', Date.UTC(2026, 6, 8)],
    ['pubDatetime: 2026-07-08T05:17:19Z', Date.UTC(2026, 6, 8, 5, 17, 19)],
    ['date: July 8, 2026', Date.UTC(2026, 6, 8)],
    ['date: 2026/7/8 20:46:25', Date.UTC(2026, 6, 8, 20, 46, 25)],
    ['date: 2026-07-08 20:46:25 +0100', Date.UTC(2026, 6, 8, 19, 46, 25)],
  ])('reads the date as site generators write it: %s', (line, time) => {
    expect(article(`---\n${line}\n---\ntext`)?.publishedAt).toBe(time);
  });

  it.each(['updated', 'lastmod', 'last_modified_at', 'updatedDate'])('takes %s for the time of the last change', (key) => {
    expect(article(`---\n${key}: 2026-11-19\n---\ntext`)?.updatedAt).toBe(Date.UTC(2026, 10, 19));
  });

  it('takes the date from the name of a file, or of the folder that it stands for', () => {
    for (const ending of ['md', 'markdown'])
      expect(article('text', {}, `blog/2026-11-18-first/index.${ending}`)?.publishedAt).toBe(Date.UTC(2026, 10, 18));
    const name = 'news/2026-11-18-first.md';
    expect(article('text', {}, name)?.publishedAt).toBe(Date.UTC(2026, 10, 18));
    expect(article('---\ndate: 2026-11-17\n---\ntext', {}, name)?.publishedAt).toBe(Date.UTC(2026, 10, 17));
    expect(article('text', {}, 'news/2026-99-18-first.md')?.publishedAt).toBe(FIRST_SEEN);
    expect(article('text', {}, 'news/2026-02-30-first.md')?.publishedAt).toBe(FIRST_SEEN);
    expect(article('text', {}, '2026-11-18-folder/first.md')?.publishedAt).toBe(FIRST_SEEN);
    expect(article('text', {}, '2099-01-01-later.md')).toBeUndefined();
  });

  const PAGE = 'https://vitrine.acme.example/api/v1/articles/docs%2F';
  it.each([
    ['[a](../setup.md)', `[a](${PAGE}setup)`],
    ['[a](./next%20step.md#part "title")', `[a](${PAGE}guides%2Fnext%2520step#text-part "title")`],
    ['[a](<next step.md>)', `[a](${PAGE}guides%2Fnext%2520step)`],
    ['[a][b]\n\n[b]: other.markdown', `[a][b]\n\n[b]: ${PAGE}guides%2Fother`],
    ['[`a`] [b][`c` d]\n\n[`a`]: other.md\n[`c` d]: a.md', `[\`a\`] [b][\`c\` d]\n\n[\`a\`]: ${PAGE}guides%2Fother\n[\`c\` d]: ${PAGE}guides%2Fa`],
    ['[a](files/a.pdf) ![b](../b.png)', '[a](https://acme.example/docs/guides/files/a.pdf) ![b](https://acme.example/docs/b.png)'],
    ['[a](../../LICENSE) [b](../../out.md#part)', '[a](https://acme.example/LICENSE) [b](https://acme.example/out.md#part)'],
    ['[a](../../../../b:c/%2e%2e/d)', '[a](https://acme.example/d)'],
    ['[`a`](b.md) `[a](b.md)`', `[\`a\`](${PAGE}guides%2Fb) \`[a](b.md)\``],
    ['```\n[a](b.md)\n```\n[a](b.md)', `\`\`\`\n[a](b.md)\n\`\`\`\n[a](${PAGE}guides%2Fb)`],
    ['A stray ` here.\n\n[a](b.md) and `code` [a](b.md)', `A stray \` here.\n\n[a](${PAGE}guides%2Fb) and \`code\` [a](${PAGE}guides%2Fb)`],
    ['> A stray ``.\n>\n> [a](b.md) ``x`` y', `> A stray \`\`.\n>\n> [a](${PAGE}guides%2Fb) \`\`x\`\` y`],
    ['\\` [a](b.md) ` [a](b.md)', `\\\` [a](${PAGE}guides%2Fb) \` [a](${PAGE}guides%2Fb)`],
    ['` `` [a](b.md) \\` [a](b.md)', `\` \`\` [a](b.md) \\\` [a](${PAGE}guides%2Fb)`],
    ['` [a](b.md)\nand ` [a](b.md)', `\` [a](b.md)\nand \` [a](${PAGE}guides%2Fb)`],
    ['```\n\n[a](b.md)\n\n```\n[a](b.md)', `\`\`\`\n\n[a](b.md)\n\n\`\`\`\n[a](${PAGE}guides%2Fb)`],
  ])('makes the relative links absolute: %j', (text, body) => {
    expect(article(text, { publicUrl: 'https://acme.example/docs' })?.body).toBe(body);
  });

  it.each([
    '- the ` key and LINK\n- other ` key',
    '> * the ` key and LINK\n>   + other ` key',
    '1. the ` key and LINK\n2. other ` key',
    '1) the `` key and LINK\n2) other `` key',
    '| the ` key | LINK |\n| other ` key | b |',
    'the ` key and LINK\n## other ` key',
    '# the ` key and LINK\nother ` key',
    'the ` key and LINK\n~~~\n`\n~~~',
  ])('does not take a backtick of another block for the end of code: %j', (text) => {
    expect(article(text.replace('LINK', '[a](b.md)'))?.body).toContain(`[a](${PAGE}guides%2Fb)`);
  });

  it.each([
    '[a](#part)',
    '[a](/root.md)',
    '[a](https://a.example/b.md)',
    '[a](//a.example/b.md)',
    '[a](../../out.md)',
    '[a](mailto:x)',
    '[a](f.pdf)',
  ])('leaves the link %j as it is', (text) => {
    expect(article(text)?.body).toBe(text);
  });

  it.each(['Text[^1]\n\n[^1]: The **text**.', '[a]({{ site.baseurl }}/b) [b][]\n\n[b]: {{site.url}}/c.md', '![a]({{site.url}}/a.png)'])(
    'keeps footnotes and addresses of Liquid: %j',
    (text) => {
      expect(article(text, { publicUrl: 'https://acme.example/docs' })?.body).toBe(text);
    },
  );

  it('treats a rule at the beginning as text if no front matter follows', () => {
    expect(article('---\ntext without end')?.body).toBe('---\ntext without end');
    expect(article('---\ntitle: Only this\n---')).toMatchObject({ title: 'Only this', body: '' });
  });

  it.each([
    ['kind: changelog', 'kind "changelog" is not a kind of article; write article or help'],
    ['tags: { a: b }', 'tags is not a list; write tags such as [api, paging]'],
    ['url: "javascript:alert(1)"', 'url "javascript:alert(1)" is not an address; write an absolute http or https address'],
    ['published: soon', 'published "soon" is not known; write true, false, or a date such as 2026-11-20'],
    ['date: yesterday', 'date "yesterday" is not a date'],
    ['date: 28.11.2026', 'date "28.11.2026" is not a date; write a date such as 2026-11-20'],
    ['date: 2026', 'date "2026" is not a date'],
    ['date: 2026-02-30', 'date "2026-02-30" is not a date; write a date such as 2026-11-20'],
    ['date: 2026-02-30T10:00:00Z', 'is not a date'],
    ['date: "31 April 2026"', 'date "31 April 2026" is not a date'],
    ['publishDate: 2026/9/31', 'publishdate "2026/9/31" is not a date'],
    ['updated: 2025-02-29', 'updated "2025-02-29" is not a date'],
    ['published: 2026-02-30', 'published "2026-02-30" is not known'],
    ['language: "<b>"', 'language "<b>" is not a language'],
    ['[1, 2]', 'has front matter without keys; write keys such as title: First steps'],
    ['Only text', 'has front matter without keys'],
    ['a: [', 'is not valid YAML'],
    [
      Array.from({ length: 12 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(10)}]`)
        .join('\n')
        .replaceAll('*a0', 'x'),
      'is not valid YAML',
    ],
    [`a: ${'['.repeat(10_000)}`, 'is nested too deeply (line 2)'],
    [`b: 1\n${'- '.repeat(5_000)}a`, 'is nested too deeply (line 3)'],
    [`${'? '.repeat(15)}\n${' '.repeat(30)}${'? '.repeat(15)}x`, 'is nested too deeply (line 3)'],
    [`a: ${'x'.repeat(20_000)}`, 'has front matter of more than 16384 characters'],
  ])('reports front matter that is invalid: %.40s', (line, message) => {
    expect(() => article(`---\n${line}\n---\ntext`)).toThrow(
      expect.objectContaining({ code: 'FRONT_MATTER', message: expect.stringContaining(message) }),
    );
  });
});

describe('front matter and headings of site generators', () => {
  it('are not shown as text', () => {
    expect(article('# Usage {#use}\n\nText')?.title).toBe('Usage');
  });
});

describe('the text of Markdown', () => {
  it('has no markup', () => {
    expect(markdownLine('**Bold** _and_ snake_case_name, <script>x</script>`code`, [a][b] ![i](x.png) &amp; [link](https://a.example/x)', 500)).toBe(
      'Bold and snake_case_name, code, a i & link',
    );
    expect(markdownLine('[![a](b)](c) [d](https://a.example/x_(y)) <https://a.example/> e[^1] 2 * 3 __f__ ~~g~~', 500)).toBe(
      'a d https://a.example/ e 2 * 3 f g',
    );
  });

  it.each([
    ['- a\ncontinued\n\nText', 'Text'],
    ['> a\ncontinued\n\nText', 'Text'],
    ['<p align="center">\nnot this\n</p>\n\nText', 'Text'],
    ['<!--\nnot this\n-->\nText', 'Text'],
    ['[![build](a.svg)](b) [![npm](c.svg)](d)\n\nText', 'Text'],
    ['***\n\nText', 'Text'],
    ['___\nText', 'Text'],
    ['Title\n=====\n\nText', 'Text'],
    ['Title\n---\nText', 'Text'],
    ['Text\n- a', 'Text'],
    ['- a\n\n  more of a\n\n- b\n\nText', 'Text'],
    [' 1. a\n\n    more of a\n\n   and more\n\nText', 'Text'],
    ['- a\n\n  > quote\n\n  more of a\n\nText', 'Text'],
    ['[Full Changelog](https://a.example/a...b)\n\nText', 'Text'],
    ['[A link](https://a.example/a) and text', '[A link](https://a.example/a) and text'],
    ['[TOC]\n\n[[_TOC_]]\n\n{: .no_toc }\n\nText', 'Text'],
  ])('begins with a paragraph that is one: %j', (text, paragraph) => {
    expect(firstParagraph(text)).toBe(paragraph);
  });

  it('has a title over a line', () => {
    expect(article('Title `x`\n=====\n\nText')?.title).toBe('Title x');
    expect(article('```\nTitle\n=====\n```\n\n# Other')?.title).toBe('Other');
  });

  it('finds no paragraph in code, lists, tables and headings', () => {
    expect(firstParagraph('# a\n\n- list\n\n| a | b |\n\n```\nnot this\n```\n\n1. one\n\nThis one\ngoes on\n# next')).toBe('This one goes on');
    expect(firstParagraph('# only\n  - nested\n\n      code')).toBe('');
  });

  it('reads hostile text in a time that grows with its length', () => {
    const read = (text: string): void => {
      markdownLine(text, 500);
      markdownLine(firstParagraph(text), 500);
    };
    for (const part of ['[', '![', '](', '_', '*', '#', '`', '- ', '\n\n', '<', '[a]('])
      requireLinearGrowth(read, { name: part, input: (length) => part.repeat(length / part.length) }, isTorture ? 1_000_000 : 100_000);
  });
});
