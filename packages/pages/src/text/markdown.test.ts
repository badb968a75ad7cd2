import fc from 'fast-check';
import { proseOfHtml, proseOfMarkdown, wordsOfMarkdown } from './markdown.js';

const prose = (text: string, images = false): string => proseOfMarkdown(text, { images, anchors: false }).trim();
const anchored = (text: string): string => proseOfMarkdown(text, { images: false, anchors: true }).trim();

describe('a Markdown text', () => {
  it('keeps its structure, with headings below the title of the page', () => {
    expect(prose('# A\n\n### B\n\n# C\n\n- one')).toBe('<h2>A</h2>\n<h3>B</h3>\n<h2>C</h2>\n<ul>\n<li>one</li>\n</ul>');
  });

  it('keeps details, tables and comments of release notes as far as they are safe', () => {
    const html = prose('<!-- hidden -->\n<details><summary>More</summary>\n\n| a |\n|---|\n| 1 |\n\n</details>');
    expect(html).toContain('<details><summary>More</summary>');
    expect(html).toContain('<td>1</td>');
    expect(html).not.toContain('hidden');
  });

  it.each([
    ['<script>alert(1)</script>', ''],
    ['<img src=x onerror=alert(1)>', '<span></span>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<p><span>x</span></p>'],
    ['<a href="//evil.example">x</a>', '<p><span>x</span></p>'],
    ['<p style="position:fixed" class="card" id="main" onclick="alert(1)">x</p>', '<p>x</p>'],
    ['<iframe src="https://evil.example"></iframe>', ''],
    ['<style>*{display:none}</style>', ''],
    ['<svg onload=alert(1)></svg>', '<p></p>'],
    ['</div></main>after', 'after'],
  ])('loses what could run, style or leave its place: %s', (text, html) => {
    expect(prose(text)).toBe(html);
  });

  it('links to other servers without recommending them, and to nothing else', () => {
    expect(prose('<https://acme.example/a>')).toBe('<p><a href="https://acme.example/a" rel="nofollow noopener">https://acme.example/a</a></p>');
    expect(prose('[x](./README.md) [y](#anchor) [z](https://user:secret@acme.example)')).not.toContain('href');
  });

  it('finds addresses in the text, except in words that are longer than any address', () => {
    const long = `https://acme.example/${'a'.repeat(3_000)}`;
    expect(prose('see https://acme.example/a. And www.acme.example')).toContain('<a href="https://acme.example/a"');
    expect(prose(`${long} and <${long}>`).match(/<a /g)).toHaveLength(1);
    expect(prose(`www.acme.example/${'a'.repeat(3_000)}`)).not.toContain('<a');
  });

  it('finds addresses that begin with www. or a scheme, and not in names of files and packages', () => {
    expect(prose('(www.acme.example/a), x')).toBe('<p>(<a href="http://www.acme.example/a" rel="nofollow noopener">www.acme.example/a</a>), x</p>');
    expect(prose('See README.md, setup.py, main.rs, run.sh, lib.so, acme.com/README.md, docs/www.md and ada@acme.com')).not.toContain('<a');
  });

  it('loads images only where the site allows it', () => {
    expect(prose('![a "picture"](https://acme.example/x.png)')).toBe('<p><span>a "picture"</span></p>');
    expect(prose('![a](https://acme.example/x.png)', true)).toBe('<p><img src="https://acme.example/x.png" alt="a" loading="lazy" /></p>');
    expect(prose('![<script>](http://acme.example/x.png)', true)).toBe('<p><span>&lt;script&gt;</span></p>');
  });

  it('shows images that Vitrine stores in texts of articles, whatever address it had, and no other files', () => {
    const name = '9f1c2d3e4b5a69788796a5b4c3d2e1f0.png';
    const shown = `<p><img src="/images/${name}" alt="a" loading="lazy" /></p>`;
    expect(anchored(`![a](https://status.acme.example/base/images/${name})`)).toBe(shown);
    expect(anchored(`![a](http://localhost:8080/images/${name})`)).toBe(shown);
    expect(prose(`![a](https://status.acme.example/images/${name})`)).toBe('<p><span>a</span></p>');
    for (const other of [`https://acme.example/images/${name}?x`, 'https://acme.example/images/logo.svg', `https://a/images/${name}/../x`])
      expect(anchored(`![a](${other})`)).toBe('<p><span>a</span></p>');
  });

  it('leaves HTML out of the ids of headings', () => {
    expect(anchored('## <a name="x"></a>Usage')).toContain('<h2 id="text-usage">');
  });

  it('gives headings the ids that GitHub gives them, below a prefix, each once', () => {
    expect(anchored('# Größe & `code`_x!\n\n## A b\n\n## A b')).toBe(
      '<h2 id="text-größe--code_x">Größe &amp; <code>code</code>_x!</h2>\n<h3 id="text-a-b">A b</h3>\n<h3 id="text-a-b-1">A b</h3>',
    );
    expect(anchored('# Usage {#how-To}\n\n<a name="old"></a>[x](#Old) [y](#how-to)')).toBe(
      '<h2 id="text-how-to">Usage</h2>\n<p><span id="text-old"></span><a href="#text-old">x</a> <a href="#text-how-to">y</a></p>',
    );
    expect(anchored('<p id="x">1</p><p id="x">2</p><p id="a b">3</p>')).toBe('<p id="text-x">1</p><p>2</p><p>3</p>');
    expect(prose('# A\n\n[x](#a)')).toBe('<h2>A</h2>\n<p><span>x</span></p>');
  });

  it('never has tags or attributes outside of the list, whatever it holds', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '/',
      'a',
      ' href=',
      'javascript:',
      '<script>',
      '</p>',
      '<h3>',
      '<img ',
      'onerror=',
      '](',
      '![',
      '`',
      '\n',
      '&lt;',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, isHtml) => {
        const html = isHtml ? proseOfHtml(pieces.join(''), { images: false, anchors: true }) : prose(pieces.join(''));
        expect(html.replace(/="[^"]*"/g, '')).not.toMatch(/<(?:script|img|svg|iframe|style)|<[^>]* on\w+/i);
        expect(html).not.toMatch(/<[^>]* href="(?!https?:\/\/)/);
      }),
    );
  });

  it('closes every tag that it opens', () => {
    expect(proseOfHtml('<details><summary>a<h2>b', { images: false, anchors: true })).toBe('<details><summary>a<h2>b</h2></summary></details>');
  });
});

describe('the words of a Markdown text', () => {
  it.each([
    ['## Changes\n\n- **Fixed** the `cursor`\n- see [the guide](https://acme.example/a)', 'Changes · Fixed the cursor · see the guide'],
    ['one\ntwo  \nthree', 'one two three'],
    ['One.\n\nTwo: \n\n- three', 'One. Two: three'],
    ['![a picture](https://acme.example/x.png) after', 'a picture after'],
    ['<!-- hidden -->\n\n<details><summary>More</summary>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n</details>', 'More · a · b · 1 · 2'],
    ['```js\nconst a = 1 < 2;\n```', 'const a = 1 < 2;'],
    // Cut in the middle, as excerpts are.
    ['a **bold', 'a **bold'],
    ['text <img src="x', 'text <img src="x'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['', ''],
  ])('of %j are %j', (text, words) => {
    expect(wordsOfMarkdown(text)).toBe(words);
  });
});
