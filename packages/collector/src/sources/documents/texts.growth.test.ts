import { NO_REPOSITORY } from '@vitrine/core';
import { isTorture } from '@vitrine/test-support';
import { patternsOf, requireLinearGrowth, somePatterns, type Language } from '@vitrine/test-support/growth';
import type { ArticleOrigin } from '../articles/markdown-files.js';
import { parseArticle } from '../articles/parse-article.js';
import { parseChangelog } from '../changelog/changelog-source.js';
import { splitMessage } from '../git/public-text.js';
import { textOf } from '../git/git.js';
import { TokenSplitter } from '../git/token-splitter.js';
import { readIncidentFile } from '../incidents/incident-file.js';
import { readSummary } from '../statuspage/statuspage-documents.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const ORIGIN: ArticleOrigin = {
  label: 'docs',
  repositoryRef: NO_REPOSITORY,
  publicUrl: null,
  language: 'en',
  defaultUrl: (id: string) => `https://v.example/${id}`,
};

const MARKDOWN = [
  'a',
  '\n',
  '\n\n',
  '# ',
  '## [1.#.0] - 2026-01-01\n',
  '### Added\n',
  '- x\n',
  '- `\n',
  '- ',
  '[',
  '](',
  '*',
  '`',
  '<',
  '>',
  '&amp;',
  '@a.example',
  'git@a.b:',
  ':::tip\n',
  '{{<',
  '{% highlight a %}\n',
  '{/*',
  '*/}',
  '{% comment %}',
  '\\`',
  '``',
  '[`a`]: b.md\n',
  '[a](b.md)',
  '~~~',
];
const YAML = [
  'a',
  '\n',
  ' ',
  '- ',
  '? ',
  ': ',
  'k#: 1\n',
  '&a# ',
  '*a#',
  '!!x ',
  '"',
  "'",
  '|\n',
  '>\n',
  '#',
  '%',
  '{',
  '}',
  '[',
  ']',
  ',',
  '---\n',
  '<<: ',
];
const JSON_PIECES = ['{"id":"c#","name":"x","status":"operational"},', '{},', '[],', '"#",', '1e9,', '{"a#":"b"},', '"\\ud800",', '{"__proto__":1},'];

interface Case {
  readonly name: string;
  readonly language: Language;
  readonly length: number;
  readonly read: (text: string) => unknown;
}

const file = (text: string) => ({ name: 'a.md', text, now: NOW, firstSeen: () => NOW });

const CASES: readonly Case[] = [
  { name: 'a changelog', language: { pieces: MARKDOWN }, length: 1_000_000, read: (text) => parseChangelog(file(text), ORIGIN, new Map()) },
  { name: 'an article', language: { pieces: MARKDOWN }, length: 1_000_000, read: (text) => parseArticle(file(text), ORIGIN) },
  {
    name: 'front matter',
    language: {
      frame: ['---\n', '\n---\ntext'],
      pieces: YAML,
      brackets: [
        ['[', ']'],
        ['{a: ', '}'],
        ['- ', ''],
      ],
    },
    length: 16_000,
    read: (text) => parseArticle(file(text), ORIGIN),
  },
  {
    name: 'the front matter of an incident',
    language: {
      frame: ['---\n', '\n---\n## 2026-11-20T13:41:00Z investigating\n'],
      pieces: YAML,
      brackets: [
        ['[', ']'],
        ['{a: ', '}'],
      ],
    },
    length: 16_000,
    read: readIncidentFile,
  },
  {
    name: 'the updates of an incident',
    language: { frame: ['---\ntitle: x\n---\n', ''], pieces: [...MARKDOWN, '## 2026-11-20T13:41:00Z investigating\n', '## 2026-', '##  '] },
    length: 1_000_000,
    read: readIncidentFile,
  },
  {
    name: 'the message of a commit',
    language: { pieces: [...MARKDOWN, '\0', '\ud800', '\u200b', '%40', '&#64;'] },
    length: 500_000,
    read: splitMessage,
  },
  {
    name: 'the output of git',
    language: { pieces: ['a', '\0', '\n', '\t', '1\t2\tx\0', 'é', '\ufffd'] },
    length: 1_000_000,
    read: (text) => {
      const splitter = new TokenSplitter();
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 65_536) for (const token of splitter.push(bytes.subarray(at, at + 65_536))) textOf(token);
    },
  },
  {
    name: 'the document of a status page',
    language: {
      frame: ['{"page":{"name":"x"},"components":[', '{}]}'],
      pieces: JSON_PIECES,
      brackets: [
        ['[', ']'],
        ['{"a":', '1}'],
      ],
    },
    length: 300_000,
    read: (text) => readSummary(Buffer.from(text)),
  },
];

it.each(CASES)('reads $name in a time that grows with its length', ({ language, length, read }) => {
  for (const pattern of somePatterns(patternsOf(language), 2)) requireLinearGrowth(read, pattern, isTorture ? length : Math.min(length / 2, 150_000));
});
