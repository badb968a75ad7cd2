import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../configuration/load-config.js';
import { NO_REPOSITORY, type Article, type Image } from '@vitrine/core';
import { sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { bareEnvironment, type TemporaryRepository } from '../../../test/git/temporary-repository.js';
import { articlesSource } from '../articles/articles-source.js';
import { changelogSource } from '../changelog/changelog-source.js';
import { createSources } from '../../running/create-sources.js';
import { Scheduler } from '../../running/scheduler.js';
import type { Source } from '../../running/source.js';
import { FakeStore } from '../../testing/fake-store.js';

let fixture: GitFixture;
let repository: TemporaryRepository;
let store: FakeStore;
const stops: (() => Promise<void>)[] = [];
beforeEach(() => {
  fixture = new GitFixture();
  repository = fixture.repository();
  store = new FakeStore();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  fixture.folder.remove();
});

const reading = (location: string) => fixture.options(location);

const ORIGIN = {
  label: 'docs',
  repositoryRef: NO_REPOSITORY,
  publicUrl: null,
  language: 'en',
  intervalMs: 60_000,
  defaultUrl: (id: string) => `https://v.example/${id}`,
} as const;

const articles = (path = 'docs', location = repository.path) => articlesSource({ ...ORIGIN, path, git: reading(location) });

function run(source: Source) {
  fixture.now += 60_000;
  const { now } = fixture;
  return source.run({
    writer: store,
    collection: store,
    clock: { now: () => now },
    signal: new AbortController().signal,
    progress: () => undefined,
  });
}

const stored = () => store.all.filter((record): record is Article => record.kind === 'article');
const titles = () => stored().map(({ title }) => title);

describe('articles from a git repository', () => {
  it('are those of the default branch as it was committed, with the rules of folders on disk', async () => {
    repository.commit('docs: start', {
      'docs/a.md': '# A',
      'docs/sub/b b.markdown': '---\ntitle: B\ndate: 2023-01-02\n---\r\ntext',
      'docs/c.txt': '# C',
      'docs/.d.md': '# D',
      'docs/node_modules/e.md': '# E',
      'docs/_drafts/g.md': '# G',
      'other/f.md': '# F',
    });
    repository.git('branch', 'draft');
    repository.git('checkout', '--quiet', 'draft');
    repository.commit('docs: draft', { 'docs/a.md': '# Draft' });
    repository.git('checkout', '--quiet', 'main');
    repository.checkOut();
    writeFileSync(join(repository.path, 'docs/a.md'), '# not committed\n');
    expect(await run(articles())).toMatchObject({ stored: 2, removed: 0, warnings: [] });
    expect(stored().map(({ id, title, publishedAt }) => [id, title, new Date(publishedAt).toISOString()])).toEqual([
      ['docs/a', 'A', '2023-11-14T22:14:20.000Z'],
      ['docs/sub/b%20b', 'B', '2023-01-02T00:00:00.000Z'],
    ]);
    expect(await run(articles())).toMatchObject({ stored: 0, unchanged: 0, removed: 0 });
  });

  it('have the images of the folder as they were committed, and follow them', async () => {
    const images = () =>
      store.all.filter((record): record is Image => record.kind === 'image').map(({ data }) => Buffer.from(data, 'base64').toString());
    const source = () =>
      articlesSource({ ...ORIGIN, path: 'docs', git: reading(repository.path), imageUrl: (name) => `https://v.example/images/${name}` });
    repository.commit('docs: start', {
      'docs/a.md': '![](img/a.gif) ![](../out.gif) ![](img/b.gif)',
      'docs/img/a.gif': 'GIF89a1',
      'out.gif': 'GIF89a',
    });
    repository.checkOut();
    symlinkSync('../../out.gif', join(repository.path, 'docs/img/b.gif'));
    repository.commitWorkingCopy('docs: link');
    expect(await run(source())).toMatchObject({ stored: 2 });
    expect(images()).toEqual(['GIF89a1']);
    repository.commit('docs: picture', { 'docs/img/a.gif': 'GIF89a2' });
    expect(await run(source())).toMatchObject({ stored: 2, removed: 1 });
    expect(images()).toEqual(['GIF89a2']);
  });

  it('follow commits: only changed files are read again, and those of removed files go', async () => {
    repository.commit('docs: start', { 'docs/a.md': '# A', 'docs/b.md': '# B', 'docs/c.md': '# C' });
    await run(articles());
    repository.commit('docs: more', { 'docs/b.md': '# B2', 'docs/c.md': null, 'x.ts': 'x' });
    expect(await run(articles())).toMatchObject({ stored: 1, unchanged: 0, removed: 1 });
    expect(titles()).toEqual(['A', 'B2']);
  });

  it('are read from the clone of an address, and only after its git source has made it', async () => {
    repository.commit('docs: start', { 'docs/a.md': '# A' });
    const address = `file://${repository.path}`;
    await expect(run(articles('docs', address))).rejects.toThrow('acme/widget has not been cloned yet; its git source has to be collected first');
    await fixture.run(fixture.source(address));
    expect(await run(articles('docs', address))).toMatchObject({ stored: 1 });
    repository.commit('docs: more', { 'docs/b.md': '# B' });
    expect(await run(articles('docs', address))).toMatchObject({ stored: 0 });
    await fixture.run(fixture.source(address));
    expect(await run(articles('docs', address))).toMatchObject({ stored: 1 });
    expect(titles()).toEqual(['A', 'B']);
  });

  it('are read after the run of their git source when both start at once, so never while a clone is replaced', async () => {
    repository.commit('docs: start', { 'docs/a.md': '# A' });
    const text = `approved: [acme/widget]
sources:
  - { articles: docs, from: git, repository: acme/widget, label: docs }
  - { git: "file://${repository.path}", repository: acme/widget, url: "https://git.example.org/Acme/Widget" }
`;
    const environment = bareEnvironment(fixture.folder.path);
    const sources = createSources(loadConfig({ text, file: 'vitrine.yaml', env: {} }), { folder: fixture.path('clones'), origin: null, environment });
    const heard: string[] = [];
    const ended = new Promise<void>((resolve) => {
      const hear = (line: string) => {
        heard.push(line);
        if (heard.length === sources.length) resolve();
      };
      const scheduler = new Scheduler({
        writer: store,
        collection: store,
        clock: { now: () => Date.now() },
        onReport: ({ id }) => hear(id),
        onError: ({ id }, error) => hear(`${id}: ${String(error)}`),
      });
      scheduler.start(sources);
      stops.push(() => scheduler.stop());
    });
    await ended;
    expect(heard).toEqual(['services of the configuration', 'git acme/widget', 'article docs']);
    expect(titles()).toEqual(['A']);
  });

  it('stay if the folder is gone, if it is a file, or if there is no shown branch', async () => {
    repository.commit('docs: start', { 'docs/a.md': '# A', file: 'x' });
    await run(articles());
    await expect(run(articles('dosc'))).rejects.toThrow('acme/widget has no folder "dosc" in its branch main; correct the path in the configuration');
    await expect(run(articles('file'))).rejects.toThrow('has no folder "file"');
    await expect(run(articlesSource({ ...ORIGIN, path: 'docs', git: { ...reading(repository.path), branches: ['next'] } }))).rejects.toThrow(
      'has no default branch that is shown',
    );
    await expect(run(articlesSource({ ...ORIGIN, path: 'docs', git: null }))).rejects.toThrow('has no git source');
    expect(titles()).toEqual(['A']);
  });

  it('leave out links and files that are too large with a warning, and read the whole repository if the path is empty', async () => {
    repository.commit('docs: start', { 'a.md': '# A', 'big.md': `# Big\n${'x'.repeat(1_100_000)}`, 'b.md': '# B', 'c.md': '# C' });
    symlinkSync('/etc/hostname', join(repository.path, 'link.md'));
    repository.commitWorkingCopy('docs: link');
    const { warnings } = await run(articles(''));
    expect(warnings).toEqual([
      'acme/widget: link.md was skipped, because it is a link; put the file itself there',
      'acme/widget: big.md is larger than 1 MB; split it',
    ]);
    expect(titles()).toEqual(['A', 'B', 'C']);
  });

  it('can have names that git could read in other ways', async () => {
    const names = ['-n', ':(top)x', 'a*[b]', 'ü "q"', '^{tree}'];
    repository.commit('docs: odd', Object.fromEntries(names.flatMap((name) => [[`${name}/${name}.md`, `# ${name}`]])));
    for (const name of sampled(names, 4)) {
      store = new FakeStore();
      expect(await run(articles(name))).toMatchObject({ stored: 1 });
    }
    for (const name of sampled(names, 5)) {
      store = new FakeStore();
      const changelog = changelogSource({ ...ORIGIN, path: `${name}/${name}.md`, git: reading(repository.path) });
      expect(await run(changelog)).toMatchObject({ warnings: [expect.stringContaining('has no released version')] });
    }
  });
});

describe('a changelog from a git repository', () => {
  it('is read from the default branch', async () => {
    repository.commit('docs: changes', { 'docs/CHANGELOG.md': '## [1.0.0] - 2023-01-01\n### Added\n- Paging\n' });
    const changelog = (path: string) => changelogSource({ ...ORIGIN, path, git: reading(repository.path) });
    expect(await run(changelog('docs/CHANGELOG.md'))).toMatchObject({ stored: 1, warnings: [] });
    expect(stored()).toMatchObject([{ version: '1.0.0', changes: [{ type: 'added', text: 'Paging' }] }]);
    await expect(run(changelog('CHANGELOG.md'))).rejects.toThrow('acme/widget has no file "CHANGELOG.md" in its branch main');
  });
});
