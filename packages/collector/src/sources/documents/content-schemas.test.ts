import { loadConfig } from '../../configuration/load-config.js';
import { problemsOf } from '../../../test/problems-of.js';

const load = (sources: string) => loadConfig({ text: `approved: [Acme/Widget]\nsources:\n${sources}\n`, file: '/etc/vitrine/v.yaml', env: {} });

const problems = (sources: string) => problemsOf(() => load(sources));

describe('loadConfig, for sources of content', () => {
  it('uses defaults for keys that a source does not have', () => {
    const sources = `
  - feed: https://blog.acme.example/feed.xml?key=a
  - video: https://www.youtube.com/feeds/videos.xml?channel_id=UC0000
  - articles: docs/articles
  - changelog: CHANGELOG.md
    repository: acme/widget`;
    const feed = { publicUrl: null, isOfficial: false, allowPrivate: false, intervalMs: 900_000 };
    const files = { from: 'disk', publicUrl: null, language: 'en', intervalMs: 60_000 };
    expect(load(sources).sources).toEqual([
      { kind: 'feed', address: 'https://blog.acme.example/feed.xml?key=a', label: 'blog.acme.example', ...feed },
      { kind: 'video', address: 'https://www.youtube.com/feeds/videos.xml?channel_id=UC0000', label: 'www.youtube.com', ref: '-', ...feed },
      { kind: 'articles', path: '/etc/vitrine/docs/articles', label: 'articles', ref: '-', ...files },
      { kind: 'changelog', path: '/etc/vitrine/CHANGELOG.md', label: 'Acme/Widget', ref: 'acme/widget', ...files },
    ]);
  });

  it('reads every key', () => {
    const sources = `
  - {feed: "http://10.0.0.1/feed", label: Acme Blog, url: "https://blog.acme.example/", official: true, allowPrivate: true, interval: 15m}
  - {video: "https://a.example/v", label: "YouTube: Acme", repository: acme/widget, interval: 1h}
  - {articles: /srv/help, label: Help, url: "https://acme.example/help/", language: pt-BR, interval: 10s, repository: acme/widget}
  - {changelog: C.md, label: Releases}`;
    expect(load(sources).sources).toMatchObject([
      { label: 'Acme Blog', publicUrl: 'https://blog.acme.example', isOfficial: true, allowPrivate: true, intervalMs: 900_000 },
      { label: 'YouTube: Acme', ref: 'acme/widget', intervalMs: 3_600_000 },
      { path: '/srv/help', label: 'Help', publicUrl: 'https://acme.example/help', language: 'pt-BR', ref: 'acme/widget', intervalMs: 10_000 },
      { label: 'Releases', ref: '-' },
    ]);
  });

  it('reads articles and changelogs from the default branch of a repository, and a changelog from its releases', () => {
    const git = '{git: "https://code.acme.example/acme/widget.git", repository: acme/widget, url: "https://a.example/w"}';
    const derived = `
  - {articles: ./docs//articles/, from: git, repository: acme/widget, label: Docs}
  - {articles: ., from: git, repository: acme/widget, label: All}
  - {changelog: docs/CHANGELOG.md, from: git, repository: Acme/Widget, label: File}
  - {changelog: releases, repository: acme/widget}`;
    expect(load(`  - ${git}${derived}`).sources.slice(1)).toMatchObject([
      { kind: 'articles', from: 'git', path: 'docs/articles', ref: 'acme/widget' },
      { from: 'git', path: '' },
      { kind: 'changelog', from: 'git', path: 'docs/CHANGELOG.md', ref: 'acme/widget' },
      { kind: 'changelog', from: 'releases', path: '', ref: 'acme/widget', label: 'Acme/Widget' },
    ]);
    expect(load('  - {changelog: ./releases}').sources).toMatchObject([{ from: 'disk', path: '/etc/vitrine/releases' }]);
    const where = (index: number, key: string) => `/etc/vitrine/v.yaml:${String(index + 3)}: sources[${String(index)}].${key}:`;
    expect(
      problems(`  - {articles: docs, from: git, label: a}
  - {articles: docs, from: git, repository: acme/widget, label: b}
  - {changelog: releases}
  - {articles: ../docs, from: git, repository: acme/widget, label: c}
  - {articles: docs, from: disk, label: d}`),
    ).toEqual([
      `${where(0, 'from')} needs the key repository; write repository: owner/name`,
      `${where(1, 'from')} needs a git source of "acme/widget"; add one, or remove this key`,
      `${where(2, 'changelog')} needs the key repository; write repository: owner/name`,
      `${where(3, 'from')} needs a path within the repository; write a path such as docs/articles`,
      `${where(4, 'from')} "disk" is not known; write git`,
    ]);
  });

  it('skips a source of a repository that is not approved', () => {
    const { sources, warnings } = load('  - {changelog: C.md, repository: acme/widgte}\n  - {articles: .}');
    expect(sources).toMatchObject([{ kind: 'articles', label: 'articles', path: '/etc/vitrine' }]);
    expect(warnings).toEqual([
      expect.stringContaining('sources[0].repository: "acme/widgte" is not approved, so this source is skipped. Did you mean "Acme/Widget"?'),
    ]);
  });

  it('allows a repository one git source, and other sources beside it', () => {
    const git = '{git: ., repository: acme/widget, url: "https://a.example/w"}';
    expect(load(`  - ${git}\n  - {changelog: C.md, repository: acme/widget}`).sources).toHaveLength(2);
    expect(problems(`  - ${git}\n  - ${git}`)).toEqual(['/etc/vitrine/v.yaml:4: sources[1].repository: "acme/widget" appears twice; write it once']);
  });

  it('requires a label of its own for each source of a kind', () => {
    expect(problems('  - feed: https://a.example/1\n  - feed: https://a.example/2\n  - video: https://a.example/3')).toEqual([
      '/etc/vitrine/v.yaml:4: sources[1].feed: has the label "a.example", as another feed source has; write a label of its own',
    ]);
    expect(problems('  - {feed: "https://a.example/1", label: A}\n  - {feed: "https://b.example/2", label: A}')).toHaveLength(1);
    expect(problems('  - {changelog: A.md, repository: acme/widget}\n  - {changelog: B.md, repository: ACME/widget}')).toHaveLength(1);
    expect(load('  - feed: https://a.example/1\n  - {feed: "https://a.example/2", label: Two}').sources).toHaveLength(2);
  });

  it.each([
    ['{feed: blog}', 'feed: "blog" is not a web address; write an absolute http or https address without user name and password'],
    ['{feed: "https://user:secret@a.example/"}', 'is not a web address'],
    ['{feed: "file:///etc/passwd"}', 'is not a web address'],
    ['{feed: "https://a.example/", label: a/b}', 'label: "a/b" is not such a text; write a text of 1 to 100 characters without / \\ @'],
    ['{feed: "https://a.example/", label: me@acme.example}', 'is not such a text'],
    ['{feed: "https://a.example/", url: "https://a.example/?b"}', 'url: "https://a.example/?…" is not a public address'],
    ['{feed: "https://a.example/", official: maybe}', 'official: "maybe" is not known; write true or false'],
    ['{feed: "https://a.example/", interval: 1s}', 'interval: "1s" is out of range'],
    ['{feed: "https://a.example/", repository: acme/widget}', 'repository: is not a key here'],
    ['{fed: "https://a.example/"}', 'fed: is not a key here; did you mean feed?'],
    ['{artciles: docs}', 'artciles: is not a key here; did you mean articles?'],
    ['{video: 7}', 'video: 7 is not a web address'],
    ['{changelog: CHANGES.rst}', 'changelog: "CHANGES.rst" is not Markdown; write the path of a file in Markdown'],
    ['{changelog: docs/NEWS.ORG}', 'changelog: "docs/NEWS.ORG" is not Markdown'],
    ['{changelog: ""}', 'changelog: "" is not a path'],
    ['{articles: ""}', 'articles: "" is not a path'],
    ['{changelog: C.md, language: english!}', 'language: "english!" is not a language; write a language tag, such as en or pt-BR'],
  ])('reports what is wrong in %s', (source, message) => {
    expect(problems(`  - ${source}`)).toEqual([expect.stringContaining(message)]);
  });
});
