import { isTorture, sampled } from '@vitrine/test-support';
import { patternsOf, requireLinearGrowth, somePatterns, type Pattern } from '@vitrine/test-support/growth';
import { withAddresses, withoutTags } from './html.js';
import { proseOfHtml, proseOfMarkdown, wordsOfMarkdown } from './markdown.js';
import { markedText } from './marked-text.js';

/** As long as the texts of records are; in a normal run a quarter, which shows what takes seconds. */
const LENGTH = isTorture ? 65_536 : 16_384;

const WORDS = ['a', '\n', '  \n', ' ', '\t', '\\', '&', '&amp;', '&#x1F600;', 'é', '\ud800'];
const MARKDOWN = [
  '*',
  '**',
  '_',
  '~~',
  '`',
  '``a',
  '[',
  '](',
  '[a](b)',
  '[#]: c\n',
  '[#]',
  '![',
  '> ',
  '- ',
  '1. ',
  '#',
  '---\n',
  '|',
  '|a|\n|-|\n',
  '    a\n',
];
const ADDRESSES = ['https://a.b/', 'https://a.b/(x/', 'www.a.b', 'a@b.example', 'mailto:', '://', '(', ')', '<http://a'];
const TAGS = ['<', '>', '<a', '<p>', '</p>', '<!--', '-->', '<![CDATA[', '<?', '<a href="', '"', '<x#>', '<p x#="1">', '<img src=x>'];

const patterns: readonly Pattern[] = patternsOf({
  pieces: [...WORDS, ...MARKDOWN, ...ADDRESSES, ...TAGS],
  brackets: [
    ['[', ']'],
    ['(', ')'],
    ['*a ', ' a*'],
    ['<b>', '</b>'],
    ['<h1>', '</h1>'],
    ['<table><tr><td>', '</td></tr></table>'],
    ['<details>', '</details>'],
    ['<a href="https://a.example">', '</a>'],
  ],
});

/** Those that have taken long before. */
const KNOWN = patterns.filter(({ name }) => /^"https:\/\/a\.b\/\(x\/" repeated|nested/.test(name));

describe.each<readonly [string, (text: string) => unknown]>([
  ['Markdown', (text) => proseOfMarkdown(text, { images: true, anchors: true })],
  ['an excerpt of Markdown', wordsOfMarkdown],
  ['HTML', (text) => proseOfHtml(text, { images: true, anchors: true })],
  ['HTML of which only the words are shown', withoutTags],
  ['rendered HTML whose addresses are replaced', (text) => withAddresses(text, (address) => `${address}/`)],
  ['a text in which words are marked', (text) => markedText(text, 'a b')],
])('the time for %s', (name, render) => {
  it('grows with the length of the text, whatever it holds', () => {
    // All of them share the parsers of Markdown and HTML.
    const known = sampled(KNOWN, name === 'Markdown' ? 2 : 4);
    for (const pattern of new Set([...known, ...somePatterns(patterns, 1)])) requireLinearGrowth(render, pattern, LENGTH);
  });
});
