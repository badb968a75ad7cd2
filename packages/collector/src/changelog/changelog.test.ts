import { NO_REPOSITORY, type Article } from '@vitrine/core';
import { parseChangelog } from './parse-changelog.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const FIRST_SEEN = Date.UTC(2026, 10, 1);

function parsed(text: string, publicUrl: string | null = 'https://code.acme.example/acme/widget/blob/main/CHANGELOG.md') {
  const origin = {
    label: 'acme/widget',
    repositoryRef: NO_REPOSITORY,
    publicUrl,
    language: 'en',
    defaultUrl: (id: string) => `https://v.example/${encodeURIComponent(id)}`,
  } as const;
  const { articles, warnings } = parseChangelog({ name: 'CHANGELOG.md', text, now: NOW, firstSeen: () => FIRST_SEEN }, origin);
  return { articles: articles as readonly Article[], warnings };
}

const WHOLE = `# Changelog

All notable changes to this project will be documented in this file.

The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).

## [Unreleased]

### Added

- Not released yet

## [2.1.0] - 2026-11-18

Cursor paging is now **stable** under inserts.

### Added

- JSON Feed for releases
- A long entry
  that goes on, by ada@acme.example

  A second paragraph.

### Fixed

* Duplicate rows while [paging](https://a.example)

### Notes

- Not a change

### Security
+ Escapes \`<script>\` in titles

## 2.0.0 (2026-10-01) [YANKED]

### Removed

- The old API

## v1.0.0

First version.

[unreleased]: https://code.acme.example/compare/v2.1.0...HEAD
[2.1.0]: https://code.acme.example/compare/v2.0.0...v2.1.0
`;

describe('parseChangelog', () => {
  it('makes an article of each released version, with its changes', () => {
    const { articles, warnings } = parsed(WHOLE);
    expect(warnings).toEqual([]);
    expect(
      articles.map(({ title, version, publishedAt, summary, changes }) => [title, version, new Date(publishedAt).toISOString(), summary, changes]),
    ).toEqual([
      [
        'widget 2.1.0',
        '2.1.0',
        '2026-11-18T00:00:00.000Z',
        'Cursor paging is now stable under inserts.',
        [
          { type: 'added', text: 'JSON Feed for releases' },
          { type: 'added', text: 'A long entry that goes on, by' },
          { type: 'fixed', text: 'Duplicate rows while paging' },
          { type: 'security', text: 'Escapes <script> in titles' },
        ],
      ],
      ['widget 2.0.0', '2.0.0', '2026-10-01T00:00:00.000Z', 'The old API', [{ type: 'removed', text: 'The old API' }]],
      ['widget 1.0.0', '1.0.0', '2026-11-01T00:00:00.000Z', 'First version.', []],
    ]);
    expect(articles[0]).toMatchObject({
      id: 'acme/widget/changelog/2.1.0',
      articleKind: 'changelog',
      bodyFormat: 'markdown',
      url: 'https://code.acme.example/acme/widget/blob/main/CHANGELOG.md',
      provenance: { source: 'acme/widget', sourceKind: 'official-source', isOfficialSource: true },
    });
    expect(articles[0]?.body).toMatch(/^Cursor paging[^]*Escapes/);
    expect(articles[2]?.body).toBe('First version.');
  });

  it('shows an article at its own address without a public one', () => {
    expect(parsed(WHOLE, null).articles[0]?.url).toBe('https://v.example/acme%2Fwidget%2Fchangelog%2F2.1.0');
  });

  it('says that it found no version, or one twice', () => {
    expect(parsed('# Changelog\n\n## [Unreleased]\n').warnings).toEqual([
      'CHANGELOG.md: has no released version; write headings such as "## [1.2.0] - 2026-11-20"',
    ]);
    const twice = parsed('## 1.0.0\nfirst\n## 1.0.0\nsecond\n');
    expect(twice.articles.map(({ body }) => body)).toEqual(['first']);
    expect(twice.warnings).toEqual(['CHANGELOG.md: versions that appear twice, of which the first one counts: 1']);
  });

  it('reads hostile text in a moment, and dates that cannot be true as none', () => {
    const startedAt = performance.now();
    for (const part of ['## 1', '## [', '- ', '### Added\n', '[', '## 1.0.0\n', ' ']) parsed(part.repeat(300_000));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(parsed('## 1.0.0 - 9999-12-31\n## 0.9.0 - 0000-00-00\n').articles.map(({ publishedAt }) => publishedAt)).toEqual([FIRST_SEEN, FIRST_SEEN]);
  });
});
