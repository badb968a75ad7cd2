import { NO_REPOSITORY, type Article } from '@vitrine/core';
import { changelogSections } from './changelog-sections.js';
import { parseChangelog, type TagTimes } from './changelog-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const FIRST_SEEN = Date.UTC(2026, 10, 1);

const ORIGIN = {
  label: 'acme/widget',
  repositoryRef: NO_REPOSITORY,
  publicUrl: null,
  language: 'en',
  defaultUrl: (id: string) => `https://v.example/${encodeURIComponent(id)}`,
} as const;

function parsed(
  text: string,
  publicUrl: string | null = 'https://code.acme.example/acme/widget/blob/main/CHANGELOG.md',
  tags: TagTimes | null = new Map(),
) {
  const { articles, warnings } = parseChangelog(
    { name: 'CHANGELOG.md', text, now: NOW, firstSeen: () => FIRST_SEEN },
    { ...ORIGIN, publicUrl },
    tags,
  );
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
    const { articles, warnings } = parsed(WHOLE, undefined, new Map([['1.0.0', Date.UTC(2026, 8, 1)]]));
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
      ['widget 2.0.0 [YANKED]', '2.0.0', '2026-10-01T00:00:00.000Z', 'The old API', [{ type: 'removed', text: 'The old API' }]],
      ['widget 1.0.0', '1.0.0', '2026-09-01T00:00:00.000Z', 'First version.', []],
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
    const twice = parsed('## 1.0.0 - 2026-11-01\nfirst\n## 1.0.0\nsecond\n');
    expect(twice.articles.map(({ body }) => body)).toEqual(['first']);
    expect(twice.warnings).toEqual(['CHANGELOG.md: versions that appear twice, of which the first one counts: 1']);
  });

  it('reads dates that cannot be true as none', () => {
    expect(parsed('## 1.0.0 - 9999-12-31\n## 0.9.0 - 0000-00-00\n').articles).toEqual([]);
    for (const date of ['- 2026-09-31', '/ 2026-02-30', '(2026-02-30T10:00:00Z)', '- 31.09.2026', '(September 31, 2026)', '(31-Sep-2026)']) {
      const heading = `## 1.0.0 ${date}\n`;
      expect(parsed(heading)).toMatchObject({ articles: [], warnings: [expect.stringContaining('have a date: 1')] });
      expect(parsed(heading, null, new Map([['1.0.0', 5]])).articles).toMatchObject([{ publishedAt: 5 }]);
    }
  });

  const versions = (text: string) =>
    parsed(text).articles.map(({ version, publishedAt }) => [version, new Date(publishedAt).toISOString().slice(0, 10)]);

  it.each([
    ['# [1.5.0](https://a.example/x...y) (2026-11-02)', '1.5.0'],
    ['## [1.5.1][] - 2026-11-02', '1.5.1'],
    ['#### v1.5.2 (2026-11-02)', '1.5.2'],
    ['## Version 1.44.0 - 2026-11-02', '1.44.0'],
    ['### Release: 1.4 / 2026-11-02', '1.4'],
    ['## widget 2.0.0-rc.1 — 2026-11-02', '2.0.0-rc.1'],
    ['## @acme/widget@2.0.0+build.5 (2026-11-02)', '2.0.0+build.5'],
    ['## `1.2.0` (2026-11-02)', '1.2.0'],
    ['## **1.2.0** 2026-11-02', '1.2.0'],
    ['  ## 1.2.0 - 2026-11-02', '1.2.0'],
    [' 1.2.0 (2026-11-02)\n =====', '1.2.0'],
    ['Версия 1.2.0 (2026-11-02)\n-----', '1.2.0'],
    ['## <a name="1.2.0"></a>1.2.0 (2026-11-02) ##', '1.2.0'],
    ['1.2.0 (2026-11-02)\n==================', '1.2.0'],
    ['Widget 1.2.0 (2026-11-02)\n--', '1.2.0'],
    ['Version 1.2.0 / 2026-11-02\n---', '1.2.0'],
    ['## 1.2.0 - 02.11.2026', '1.2.0'],
    ['## 1.2.0 - 2026/11/02', '1.2.0'],
    ['## 1.2.0 (2026.11.2)', '1.2.0'],
    ['## 1.2.0 (November 2nd, 2026)', '1.2.0'],
    ['## 1.2.0, 2 Nov 2026', '1.2.0'],
    ['## `1.2.0` — 2nd of November 2026', '1.2.0'],
    ['## v1.2.0 (2026年11月2日)', '1.2.0'],
    ['## 1.2.0 (2026\u201111\u201102)', '1.2.0'],
    ['## 1.2.0\n\nReleased on the 2nd of November, 2026', '1.2.0'],
    ['## 1.2.0 (02-Nov-2026)', '1.2.0'],
    ['## 1.2.0 The big one 2026-11-02', '1.2.0'],
    ['## 1.2.0 - 2026-11-02 - Suivi des tâches en cours', '1.2.0'],
    ['## 1.2.0 Tasks in progress (2026-11-02)', '1.2.0'],
    ['## v.1.2.0 (2026-11-02)', '1.2.0'],
    ['### 1.2.0 [See full changelog](https://a.example/1) 2026-11-02', '1.2.0'],
    ['# 1.2.0 [YANKED] 2026-11-02', '1.2.0'],
    ['2026-11-02 / 1.2.0\n==================', '1.2.0'],
    ['## 2026.11.02, Version 1.2.0 (Stable), @ada', '1.2.0'],
    ['## 2 Nov 2026: v1.2.0', '1.2.0'],
    ['## 2026.11.02 (2026-11-02)', '2026.11.02'],
    ["## 2026-11-02, Version 1.2.0 'Argon' (LTS), @ada", '1.2.0'],
    ['## \\[1.2.0\\] \\- 2026-11-02', '1.2.0'],
    ['v1.2.0. / 2026-11-02\n===', '1.2.0'],
    ['# 1.2 November 2, 2026', '1.2'],
    ['### 1.2 <small>Nov 2, 2026</small> { id="1.2" }', '1.2'],
    ['## 2.0.0 RC 1 (2026-11-02)', '2.0.0 RC 1'],
    ['# Version 2.0.0 beta2 - 2026-11-02', '2.0.0 beta2'],
    ['### 2.0 (Alpha) 2026-11-02', '2.0 Alpha'],
    ['## 2026-11-02, io.js Version 1.2.0 @ada', '1.2.0'],
    ['## 2026-11-02: 1.2.0 The big one', '1.2.0'],
    ['## 2026-11-02 (v1.2.0)', '1.2.0'],
    ['### 2026-11-02 08:00 — v1.2.0', '1.2.0'],
    ['## Version 1.2 Preview (2026-11-02)', '1.2'],
    ['# Version 1.2.0 "The big one" 2026-11-02', '1.2.0'],
    ['## 1.2.0\n\n###### 2026/11/02', '1.2.0'],
    ['## 2026-11-02', '2026-11-02'],
    ['## 2 November 2026', '2 November 2026'],
    ['## November 2nd, 2026 - Node 18.0 support', 'November 2nd, 2026'],
    ['## 2026/11/02', '2026/11/02'],
    ['## 02.11.2026', '02.11.2026'],
    ['## Release v1.2.0 on 2026-11-02', '1.2.0'],
    ['## Версия 1.2.0 от 02.11.2026', '1.2.0'],
    ['## ~~1.2.0~~ __2026-11-02__', '1.2.0'],
    ['## [2026-11-02] - Support for Node 18.0', '2026-11-02'],
    ['## 2026-11-02: Node 18.0 support', '2026-11-02'],
    ['Changes for v1.2.0 (2026-11-02)\n===', '1.2.0'],
    ["## What's new in Widget 1.2.0 (2026-11-02)", '1.2.0'],
    ['Noteworthy changes in version 1.2.0 (2026-11-02) [C24/A4/R1]\n===', '1.2.0'],
    ['## Notable Changes in Release 1.2 [2026-11-02]', '1.2'],
    ['Overview of Changes in Widget+ 1.2.0, 02 Nov 2026\n===', '1.2.0'],
    ['## Major changes in 1.2.0 (2026-11-02)', '1.2.0'],
    ['## Changes between 1.1.0 and 1.2.0 [2 Nov 2026]', '1.2.0'],
    ['Overview of changes from Widget+ 1.1.0 to Widget+ 1.2.0 (2026-11-02)\n---', '1.2.0'],
    ['# Widget\n### Changes between 1.1.0f and 1.1.0g [2 Nov 2026]', '1.1.0g'],
    ["What's New in Widget 1.2.0 final?\n===\n\n*Release date: 2026-11-02*", '1.2.0'],
    ["## What's new in 1.2.0?\n2026-11-02", '1.2.0'],
    ['## Widget Python Bindings 1.2.0 (2026-11-02)', '1.2.0'],
    ['## 🚀 Release v1.2.0 - 2026-11-02', '1.2.0'],
    ['## Widget version 1.2.0, released 2026-11-02', '1.2.0'],
    ['## Release notes: v1.2.0 (2026-11-02)', '1.2.0'],
    ['widget\\_kit-1.2.0 (2 November 2026)\n===', '1.2.0'],
    ['## widget/v1.2.0 - 2026-11-02', '1.2.0'],
    ['## widget-kit-1.2.0\n\n_2026-11-02_', '1.2.0'],
    ['## "1.2.0" – 2026-11-02', '1.2.0'],
    ['## 【1.2.0】2026-11-02', '1.2.0'],
    ['# CHANGES - The Widget 1.3.0 - 2026-11-12\n## Changes in Widget 1.2.0 (2026-11-02)', '1.2.0'],
    ['**1.2.0** (2026-11-02)', '1.2.0'],
    ['**1.2.0 / 2026-11-02**', '1.2.0'],
    ['**1.2.0 / 2026-11-02*', '1.2.0'],
    ["What's New in Widget 1.2.0 release candidate 2?\n===\n\n*Release date: 2026-11-02*", '1.2.0 release candidate 2'],
    ['## 1.2.0\n\n_Released on 2026-11-02_', '1.2.0'],
    ['## 1.2.0\n\n*November 2, 2026*', '1.2.0'],
    ['## 1.2.0 (2. November, 2026)', '1.2.0'],
    ['## 1.2.0\nMon, 02 Nov 2026 01:10:43 GMT', '1.2.0'],
    ['## 1.2.0\n\n2026-11-02 17:11 PST', '1.2.0'],
    ['## 1.2.0\n\nRelease date - 2nd November, 2026.', '1.2.0'],
    ['## 1.2.0\n(released November 2nd, 2026)', '1.2.0'],
    ['## 1.2.0\n**Date:** Monday, 2. November 2026', '1.2.0'],
  ])('reads the heading %j', (heading, version) => {
    expect(versions(`# Changelog\n\n${heading}\n\n- x\n`)).toEqual([[version, '2026-11-02']]);
  });

  it('reads dates such as 05/11/2026 if another one of the file says their order', () => {
    expect(versions('## 1.1.0 (02/11/2026)\n## 1.0.0 (24/10/2026)\n')).toEqual([
      ['1.1.0', '2026-11-02'],
      ['1.0.0', '2026-10-24'],
    ]);
    expect(versions('## 1.1.0\n\n11-02-2026 17:11 PST\n\n## 1.0.0\n\n10-24-2026 9:31 PDT\n')).toEqual([
      ['1.1.0', '2026-11-02'],
      ['1.0.0', '2026-10-24'],
    ]);
    expect(versions('## 1.1.0 (11-02-2026)\n## 1.0.0 (10-24-2026)\n')).toEqual([
      ['1.1.0', '2026-11-02'],
      ['1.0.0', '2026-10-24'],
    ]);
    expect(versions('## 1.2.0 (02/11/2026)\n## 1.1.0 (24/10/2026)\n## 1.0.0 (10/24/2026)\n')).toEqual([]);
  });

  it('does not show a line that only says the date', () => {
    expect(parsed('# Changelog\n\n## Version 1.44.0\n\n14.12.2020\n\nAll new.\n').articles[0]).toMatchObject({
      summary: 'All new.',
      body: 'All new.',
    });
  });

  it.each(['Released on 2026-11-02. All issues are in this [list](https://a.example/1).', '_Published on the 2nd of Nov 2026 as `widget@1.2.0`_'])(
    'takes the date from %j, and shows it',
    (line) => {
      expect(parsed(`## 1.2.0\n${line}\n\n- x\n`).articles[0]).toMatchObject({ publishedAt: Date.UTC(2026, 10, 2), body: `${line}\n\n- x` });
    },
  );

  it.each(['Released on all systems since 2026-11-19.', 'Works until 2026-11-19.', '- 2026-11-19: a', 'Sunny 2026-11-19'])(
    'does not take %j for the date',
    (line) => {
      expect(parsed(`## 1.2.0 - 2026-11-02\n${line}\n`).articles[0]).toMatchObject({ publishedAt: Date.UTC(2026, 10, 2), body: line });
      expect(parsed(`## 1.2.0\n${line}\n`).articles).toEqual([]);
    },
  );

  it('reads versions inside of versions, as patches of a larger one', () => {
    const text = '# [1.5.0] (2026-11-03)\n### Added\n- a\n## [1.5.1] (2026-11-02)\n### Fixed\n- b\n# [1.4.0] (2026-11-01)\n### Added\n- c\n';
    expect(parsed(text).articles.map(({ version, changes }) => [version, changes.map((change) => change.text)])).toEqual([
      ['1.5.0', ['a']],
      ['1.5.1', ['b']],
      ['1.4.0', ['c']],
    ]);
  });

  const bodies = (text: string) => parsed(text).articles.map(({ version, body }) => [version, body]);

  it.each(['#', '##', '###', '####'])('keeps groups that have the level of the patch %s', (level) => {
    const text = `${level} 1.1.0 (2026-11-03)\n\n##### Bug Fixes\n\n- a\n\n### 1.0.1 (2026-11-02)\n\n### Bug Fixes\n\n- b\n\n### Features\n\n- c\n`;
    expect(bodies(text)).toEqual([
      ['1.1.0', '##### Bug Fixes\n\n- a'],
      ['1.0.1', '### Bug Fixes\n\n- b\n\n### Features\n\n- c'],
    ]);
  });

  it('takes the groups that programs make of conventional commits for changes, and for the summary', () => {
    const text = `## [1.1.0](https://acme.example/compare) (2026-11-03)


### ⚠ BREAKING CHANGES

* drop the old client

### Features

* **api:** page through lists ([abc1234](https://acme.example/abc1234))


### Bug Fixes

* close files ([#7](https://acme.example/7))

### Performance Improvements

* read once

### Reverts

* an undone change

### Miscellaneous Chores

* tidy up
`;
    expect(parsed(text).articles).toMatchObject([
      {
        summary: 'drop the old client api: page through lists (abc1234) close files (#7) read once',
        changes: [
          { type: 'changed', text: 'drop the old client' },
          { type: 'added', text: 'api: page through lists (abc1234)' },
          { type: 'fixed', text: 'close files (#7)' },
          { type: 'changed', text: 'read once' },
        ],
      },
    ]);
  });

  it.each([
    'Unreleased',
    '[Unreleased]',
    'Next',
    '1.2.0 (not yet released)',
    '1.2.0 - TBD',
    'v1.2.0 (WIP)',
    '[1.2.0] - In progress',
    '1.2.0 in progress',
    '[1.2.0] - en cours (2026-03-08 → 2026-04-14)',
    '[1.2.0] - YYYY-MM-DD',
    '1.2.0 (xxxx-xx-xx)',
    '[1.2.0] - 2026-??-??',
    '1.2.0 - Coming soon',
    '1.2.0 _(in-progress)_',
    'v1.2.0 - Work in Progress',
    '1.2.0 (development version)',
    '1.2.0 (under development)',
    '1.2.0 (next)',
    '1.2.0 - In dev',
    '1.2.0 (to be announced)',
    '1.2.0 (XX-XX-XXXX)',
    '1.2.0 - DD/MM/YYYY',
    '1.2.0 - 2026-11-xx',
    '1.2.0 (202x.??.??)',
    '[Unveröffentlicht]',
    '1.2.0 (nicht veröffentlicht)',
    '[1.2.0] – in Arbeit',
    '[Non publié]',
    '[1.2.0] - En cours',
    '[1.2.0] - Sin publicar',
    '[1.2.0] - Não lançado',
    '[Не выпущено] — 1.2.0',
    '[1.2.0] - 未发布',
    '[未公開] - 2026-02-11',
    'Older versions',
    'Changelog for previous versions',
  ])('ends a version at the heading %j of the same level', (heading) => {
    expect(bodies(`## 1.1.0 - 2026-11-03\n- a\n## ${heading}\n- not this\n## 1.0.0 - 2026-11-02\n- b\n`)).toEqual([
      ['1.1.0', '- a'],
      ['1.0.0', '- b'],
    ]);
  });

  it.each([
    '1.2.0-SNAPSHOT',
    'v1.2.0-dev',
    '1.2.0.dev0',
    '1.2.0-git',
    '1.2.0+dev',
    'widget 1.2.0.9000',
    '1.2.0\n\n_Unreleased_',
    '1.2.0\nReleased: YYYY-MM-DD',
    '1.2.0\nRelease date: TBD',
    '1.2.0\n*未发布*',
  ])('does not give the version %j, which is being worked on, the date of an older one', (heading) => {
    const text = `## ${heading}\n\n- a\n\n## 1.1.0 - 2026-11-03\n- b\n`;
    expect(parsed(text)).toMatchObject({ articles: [{ version: '1.1.0' }], warnings: [] });
  });

  it.each(['1.2.0-dev.3', '1.2.0.9000 (2026-11-03)', '1.2.0 - Next (2026-11-03)', '1.2.0 - Soon available', '1.2.0 Plans for the future'])(
    'shows the version %j',
    (heading) => {
      expect(bodies(`## ${heading}\n- a\n## 1.0.0 - 2026-11-02\n- b\n`)).toHaveLength(2);
    },
  );

  it('shows a version with a date, whatever it is called, and text about what is unreleased', () => {
    expect(bodies('## 1.2.0-dev (2026-11-03)\n- a\n\n## 1.1.0\nUnreleased drafts stay hidden.\n## 1.0.0 - 2026-11-02\n- b\n')).toEqual([
      ['1.2.0-dev', '- a'],
      ['1.1.0', 'Unreleased drafts stay hidden.'],
      ['1.0.0', '- b'],
    ]);
  });

  it('keeps the text below the addresses of references, and gives each version those that it uses', () => {
    const text = '## 1.1.0 - 2026-11-03\n- [a][#2]\n\n[#2]: https://a.example/2\n\n### More\n- [#1], [B][]\n## 1.0.0 - 2026-11-02\n- c\n\n';
    expect(bodies(`${text}[1.0.0]: https://a.example/v1\n  [b]: <https://a.example/b> "B"\n[#1]: https://a.example/1\n`)).toEqual([
      ['1.1.0', '- [a][#2]\n\n\n### More\n- [#1], [B][]\n\n[#2]: https://a.example/2\n[#1]: https://a.example/1\n  [b]: <https://a.example/b> "B"'],
      ['1.0.0', '- c'],
    ]);
    expect(bodies('## 1.0.0 - 2026-11-02\n[Core]: is faster now\n')).toEqual([['1.0.0', '[Core]: is faster now']]);
  });

  it('does not grow much by addresses that every version uses', () => {
    const text = '## 1.0.0 - 2026-11-02\n[a]\n'.repeat(1_000) + `[a]: https://a.example/${'x'.repeat(100_000)}\n`;
    const size = changelogSections(text).reduce((sum, { body }) => sum + body.length, 0);
    expect(size).toBeLessThan(10 * text.length);
  });

  it('takes no version from a comment', () => {
    expect(versions('<!--\n## 2.0.0 - 2026-11-03\n-->\n## 1.0.0 - 2026-11-02\n<!-- a --> b\n## 0.9.0 - 2026-11-01\n')).toEqual([
      ['1.0.0', '2026-11-02'],
      ['0.9.0', '2026-11-01'],
    ]);
  });

  it.each(['- Fix `<!--` in titles', '- Fix <!-- in titles', 'Fix \\<!-- in titles'])('finds the versions below the text %j', (line) => {
    expect(bodies(`## 1.1.0 - 2026-11-03\n${line}\n\n## 1.0.0 - 2026-11-02\n- b\n`)).toEqual([
      ['1.1.0', line],
      ['1.0.0', '- b'],
    ]);
  });

  it.each([
    ['- use\n  ```a``` now', '- and\n  ```b``` too'],
    ['- ```js\n  a\n  ```', '1. ```js\n   b\n   ```'],
    ['> ```\n> a\n> ```', '```js\n```'],
    ['````md\n```\n## 9.0.0 - 2026-11-02\n```\n````', '~~~~\n~~~\n## 9.0.0 - 2026-11-02\n~~~~'],
    ['```\n```js\n## 9.0.0 - 2026-11-02\n```', '~~~ `a`\n## 9.0.0 - 2026-11-02\n~~~'],
  ])('finds the versions between code, and none in it: %j', (first, second) => {
    const text = `## 1.2.0 - 2026-11-03\n${first}\n\n## 1.1.0 - 2026-11-02\n${second}\n\n## 1.0.0 - 2026-11-01\n- c\n`;
    expect(bodies(text)).toEqual([
      ['1.2.0', first],
      ['1.1.0', second],
      ['1.0.0', '- c'],
    ]);
  });

  it.each([
    '### Node 20.1',
    '### 2.0 and later',
    '### Upgrade to 2.0.0 first',
    '### 1. First',
    '### Features in 3.1',
    '```\n# 0.9.0\n```',
    '### 12 fixes',
    '### 2.0.0 (unreleased)',
  ])('does not take %j in a version for another one', (line) => {
    const { articles } = parsed(`## 1.0.0 - 2026-11-02\n\n${line}\n\ntext\n`);
    expect(articles.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(articles[0]?.body).toBe(`${line}\n\ntext`);
  });

  it.each([
    '1. Overview',
    '3 breaking changes',
    '2nd edition',
    '3D views',
    'Changes since 1.0.0',
    'Support for Node 18.0 (2026-11-01)',
    'Node18.0 and tools for Node 18.0 (2026-11-01)',
    'Big Node 18.0',
  ])('does not take %j for a version', (heading) => {
    expect(bodies(`## 1.1.0 - 2026-11-02\n- a\n## ${heading}\n- b\n`)).toEqual([['1.1.0', `- a\n## ${heading}\n- b`]]);
  });

  it.each(['#', '###'])('takes a version with a name at the level %j of the version above', (level) => {
    expect(bodies(`${level} 0.2 (2026-11-02)\n- a\n${level} 0.1 Initial release\n- b\n${level} 0.0 2026-11-01\n`)).toEqual([
      ['0.2', '- a'],
      ['0.1', '- b'],
      ['0.0', ''],
    ]);
  });

  it.each(['<a name="1.0.0"></a>', '---', '* * *', '\n<a id="1.0.0"/>\n\n___\n'])('leaves out %j between two versions', (between) => {
    expect(bodies(`## 1.1.0 - 2026-11-03\n- a\n\n---\n\nb\n\n${between}\n## 1.0.0 - 2026-11-02\n- c\n`)).toEqual([
      ['1.1.0', '- a\n\n---\n\nb'],
      ['1.0.0', '- c'],
    ]);
  });

  it('reads deeper headings that begin as the version above does', () => {
    expect(bodies('# widget 1.2.0 (2026-11-02)\n- a\n## widget 1.1.0 (2026-11-01)\n- b\n### Node 20.1\n- c\n### widget 20.1 support\n- d\n')).toEqual(
      [
        ['1.2.0', '- a'],
        ['1.1.0', '- b\n### Node 20.1\n- c\n### widget 20.1 support\n- d'],
      ],
    );
  });

  it('leaves out a heading without a date that is about the versions inside of it', () => {
    const patches = '### 3.0.2 (2026-11-02)\n- b\n### 3.0.1 (2026-11-01)\n- c\n';
    expect(bodies(`## Widget 3.0\n\nAll of them.\n\n${patches}`)).toEqual([
      ['3.0.2', '- b'],
      ['3.0.1', '- c'],
    ]);
    for (const heading of ['## Widget 3.0 (2026-10-01)', '### 3.0', '## 3.1']) expect(bodies(`${heading}\n- a\n${patches}`)).toHaveLength(3);
  });

  it('reads changes from one version to the next inside of a version only with a date', () => {
    const text = (date: string) => `## 2.0.0 - 2026-11-02\n- a\n### Changes from 1.0 to 2.0${date}\n- b\n`;
    expect(bodies(text(''))).toEqual([['2.0.0', '- a\n### Changes from 1.0 to 2.0\n- b']]);
    expect(bodies(text(' [2 Nov 2026]'))).toEqual([
      ['2.0.0', '- a'],
      ['2.0', '- b'],
    ]);
  });

  it('does not take a series such as 1.x for a version', () => {
    expect(bodies('## 2.x\n### 2.0.0 - 2026-11-02\n- a\n## 1.x.x\n### 1.0.0 - 2026-11-01\n- b\n### 0.9.x\nOld.\n')).toEqual([
      ['2.0.0', '- a'],
      ['1.0.0', '- b'],
    ]);
  });

  it('gives a version without a date that of its tag, or of the next older version, and never the present one', () => {
    const text = '## 2.1.0\n## 2.0.0\n## 1.1.0 - 2026-10-01\n## 1.0.0\n## 0.9.0 (05/11/2023)\n';
    const { articles, warnings } = parsed(text, null, new Map([['2.1.0', Date.UTC(2026, 10, 5)]]));
    expect(articles.map(({ version, publishedAt }) => [version, publishedAt])).toEqual([
      ['2.1.0', Date.UTC(2026, 10, 5)],
      ['2.0.0', Date.UTC(2026, 9, 1)],
      ['1.1.0', Date.UTC(2026, 9, 1)],
    ]);
    expect(warnings).toEqual([
      'CHANGELOG.md: versions that are not listed, because neither they nor older ones have a date: 2; write headings such as "## [1.2.0] - 2026-11-20"',
    ]);
    expect(parsed(text, null, null).warnings).toEqual([]); // tags are not known
    expect(versions('## 1.0.0 - 2026-01-01\n## 1.1.0\n## 1.2.0 - 2026-03-01\n')).toEqual([
      ['1.0.0', '2026-01-01'],
      ['1.1.0', '2026-01-01'],
      ['1.2.0', '2026-03-01'],
    ]);
  });

  it('shows a version with a date in the future only when its date has come, whatever the order of the file', () => {
    const newestFirst = ['## [4.0.0]', '## [3.1.0] - 9999-12-31', '## [3.0.0] - 2026-12-31', '## [2.2.0]', '## [2.1.0] - 2026-11-20'];
    const tags = new Map([['4.0.0', Date.UTC(2026, 11, 24)]]);
    const readAt = (lines: readonly string[], now: number) => {
      const { articles, dueAt, warnings } = parseChangelog({ name: 'C.md', text: lines.join('\n'), now, firstSeen: () => FIRST_SEEN }, ORIGIN, tags);
      return { times: Object.fromEntries(articles.map(({ version, publishedAt }) => [version, publishedAt])), dueAt, warnings };
    };
    const present = { '2.2.0': Date.UTC(2026, 10, 20), '2.1.0': Date.UTC(2026, 10, 20) };
    for (const lines of [newestFirst, newestFirst.toReversed()]) {
      expect(readAt(lines, NOW)).toEqual({ times: present, dueAt: Date.UTC(2026, 11, 24), warnings: [] });
      expect(readAt(lines, Date.UTC(2026, 11, 31))).toEqual({
        times: { ...present, '4.0.0': Date.UTC(2026, 11, 24), '3.0.0': Date.UTC(2026, 11, 31) },
        dueAt: Date.UTC(9999, 11, 31),
        warnings: [],
      });
    }
    expect(readAt(['## 1.1.0', '## 1.0.0 - 2026-12-31'], NOW)).toEqual({ times: {}, dueAt: Date.UTC(2026, 11, 31), warnings: [] });
  });

  it.each([
    ['## 3.2.0 - 2026-11-19T23:30:00-05:00', Date.UTC(2026, 10, 20, 4, 30)],
    ['## [3.2.0] (2026-11-19T23:30:00.250+0100)', Date.UTC(2026, 10, 19, 22, 30, 0, 250)],
    ['## 3.2.0 / 2026-11-19T23:30Z [YANKED]', Date.UTC(2026, 10, 19, 23, 30)],
    ['## 2026-11-19T23:30:00, Version 3.2.0', Date.UTC(2026, 10, 19, 23, 30)],
    ['## 3.2.0\n\n_Released on 2026-11-19T23:30:00Z._\n', Date.UTC(2026, 10, 19, 23, 30)],
  ])('takes the time of a date, and not the date of the version below: %j', (heading, time) => {
    expect(parsed(`${heading}\n- x\n## 3.1.0 - 2026-10-01\n`).articles[0]).toMatchObject({ version: '3.2.0', publishedAt: time, body: '- x' });
  });

  const changes = (list: string) => parsed(`## 1.0.0 - 2026-11-02\n### Added\n${list}`).articles[0]?.changes.map(({ text }) => text);

  it.each([
    ['- a\n  - b\n  - c\n- d', ['a: b; c', 'd']],
    ['- a:\n\n    * b\n      goes on\n\n* d', ['a: b goes on', 'd']],
    [' - a\n - b\n\t- c', ['a', 'b: c']],
    ['- a\n  goes on\n\n  not this\n- b', ['a goes on', 'b']],
    ['- a\n  ```\n  - code\n  ```\n- b', ['a', 'b']],
    ['#### Core\n- a\n#### Web\n- b', ['a', 'b']],
    ['- a\n<!--\n### Fixed\n- not this\n-->\n- b', ['a', 'b']],
  ])('counts nested items with their parent: %j', (list, texts) => {
    expect(changes(list)).toEqual(texts);
  });

  it.each(['### Fixed:', '### 🐛 Fixed', '## [Fixed] ##', '### Bug Fixes 🐛:', '### :bug: Fixes', '### fixed (1 change)'])(
    'reads the group %j',
    (heading) => {
      expect(parsed(`## 1.0.0 - 2026-11-02\n${heading}\n- a\n`).articles[0]?.changes).toEqual([{ type: 'fixed', text: 'a' }]);
    },
  );

  it('keeps the characters of code', () => {
    expect(changes('- `*` and `datetime.*`, ``a`b``, `_x_`, `<b>` and **bold**, 2 \\* 3')).toEqual([
      '* and datetime.*, a`b, _x_, <b> and bold, 2 * 3',
    ]);
    expect(parsed('## 1.0.0 - 2026-11-02\n\nUse `**kwargs` and `[a](b)`.\n').articles[0]?.summary).toBe('Use **kwargs and [a](b).');
  });
});
