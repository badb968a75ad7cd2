import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, NO_REPOSITORY, type Article } from '@vitrine/core';
import { articlesSource, type ArticlesSourceOptions } from '../articles/articles-source.js';
import { changelogSource } from '../changelog/changelog-source.js';
import { FakeStore } from '../../testing/fake-store.js';
import type { FilesSource } from './files-source.js';

let home: string;
let folder: string;
let store: FakeStore;
let now: number;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vitrine-'));
  folder = join(home, 'docs');
  mkdirSync(folder);
  store = new FakeStore();
  now = Date.now() + 60_000;
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};
const articles = () => store.all.filter((record): record is Article => record.kind === 'article');
const ids = () => articles().map(({ id }) => id);

function source(more: Partial<ArticlesSourceOptions> = {}): FilesSource {
  return articlesSource({
    path: folder,
    label: 'docs',
    repositoryRef: NO_REPOSITORY,
    publicUrl: null,
    language: 'en',
    intervalMs: 60_000,
    defaultUrl: (id) => `https://v.example/${id}`,
    ...more,
  });
}

function run(one = source(), writer: FakeStore = store) {
  now += 60_000;
  return one.run({ writer, collection: store, clock: { now: () => now }, signal: new AbortController().signal, progress: () => undefined });
}

describe('a folder of articles', () => {
  it('is read with its subfolders, without hidden files and without links', async () => {
    mkdirSync(join(folder, 'sub', '.git'), { recursive: true });
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['a.md', 'sub/b.MARKDOWN', 'sub/.git/c.md', '.d.md', 'node_modules/e.md', 'f.txt']) write(name, '# Title');
    writeFileSync(join(home, 'secret.md'), 'secret');
    symlinkSync(join(home, 'secret.md'), join(folder, 'g.md'));
    const { warnings } = await run();
    expect(ids()).toEqual(['docs/a', 'docs/sub/b']);
    expect(warnings).toEqual([expect.stringMatching(/g\.md was skipped, because it is a link; put the file itself there$/)]);
  });

  it('keeps the articles of files that cannot be used, names each of them at every run, and takes them when they are repaired', async () => {
    write('a.md', '# A');
    write('b.md', '# B');
    await run();
    write('a.md', '---\nkind: nonsense\n---\n# A2');
    write('b.md', '');
    truncateSync(join(folder, 'b.md'), 2 * 1_024 * 1_024);
    for (let times = 0; times < 2; times++) {
      const { warnings, removed } = await run();
      expect([warnings, removed]).toEqual([
        [
          expect.stringContaining('a.md: kind "nonsense" is not a kind of article; write article or help'),
          expect.stringMatching(/b\.md is larger than 1048576 bytes; split it$/),
        ],
        0,
      ]);
      expect(articles().map(({ title }) => title)).toEqual(['A', 'B']);
    }
    write('a.md', '# A3');
    write('b.md', '# B3');
    expect(await run()).toMatchObject({ stored: 2, warnings: [] });
    expect(articles().map(({ title }) => title)).toEqual(['A3', 'B3']);
  });

  it('reads only files that have changed, and all of them if the configuration has', async () => {
    write('a.md', '# A');
    write('b.md', '# B');
    expect(await run()).toMatchObject({ stored: 2 });
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0 });
    write('b.md', '# B2');
    expect(await run()).toMatchObject({ stored: 1, unchanged: 0 });
    expect(await run(source({ publicUrl: 'https://acme.example/docs' }))).toMatchObject({ stored: 2 });
    expect(articles().map(({ url }) => url)).toEqual(['https://acme.example/docs/a', 'https://acme.example/docs/b']);
  });

  it('shows an article with the first run after its date, takes it back if the date moves into the future, and reads no file that is not due', async () => {
    const dated = (at: number) => `---\ndate: ${new Date(at).toISOString()}\n---\n# A`;
    write('a.md', dated(now + 150_000));
    write('b.md', '# B');
    expect(await run()).toMatchObject({ stored: 1, warnings: [] });
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0 });
    expect(ids()).toEqual(['docs/b']);
    expect(await run()).toMatchObject({ stored: 1, unchanged: 0 });
    expect(ids()).toEqual(['docs/a', 'docs/b']);
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0 });
    write('a.md', dated(now + 1_000_000_000));
    expect(await run()).toMatchObject({ removed: 1 });
    expect(ids()).toEqual(['docs/b']);
  });

  it('keeps the time when an article without a date was found first, however often its file changes', async () => {
    write('a.md', '# A');
    utimesSync(join(folder, 'a.md'), 1_750_000_000, 1_750_000_000);
    await run();
    write('a.md', '# A2');
    await run();
    expect(articles()).toMatchObject([{ title: 'A2', publishedAt: 1_750_000_000_000 }]);
  });

  it('removes what was written before the process was killed, if its file is gone then', async () => {
    write('a.md', '# A');
    await run();
    write('b.md', '# B');
    const killed = new FakeStore();
    // The first call remembers the new id, the second writes the article, and the third never comes.
    let calls = 0;
    killed.put = (records) => (++calls > 2 ? Promise.reject(new Error('killed')) : store.put(records));
    await expect(run(source(), killed)).rejects.toThrow('killed');
    expect(ids()).toEqual(['docs/a', 'docs/b']);
    rmSync(join(folder, 'b.md'));
    expect(await run()).toMatchObject({ removed: 1 });
    expect(ids()).toEqual(['docs/a']);
  });

  it('fails with a message and a code if the folder is missing, and changes nothing', async () => {
    write('a.md', '# A');
    await run();
    const before = store.all;
    rmSync(folder, { recursive: true });
    await expect(run()).rejects.toMatchObject({
      code: 'ENOENT',
      message: `${folder} does not exist; create it, or change the path in the configuration`,
    });
    writeFileSync(folder, 'a file');
    await expect(run()).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(store.all).toEqual(before);
  });

  it('gives its articles to the repository of the configuration', async () => {
    const [ref] = Allowlist.of('acme/widget').approved().refs;
    write('a.md', '# A');
    await run(source({ repositoryRef: ref ?? NO_REPOSITORY }));
    expect(articles()).toMatchObject([{ repositoryRef: 'acme/widget' }]);
  });
});

describe('a changelog', () => {
  const changelog = () =>
    changelogSource({
      path: join(folder, 'CHANGELOG.md'),
      label: 'widget',
      repositoryRef: NO_REPOSITORY,
      publicUrl: null,
      language: 'en',
      intervalMs: 60_000,
      defaultUrl: (id) => `https://v.example/${id}`,
    });

  it('fails if it is missing or not a file, and keeps its articles', async () => {
    write('CHANGELOG.md', '## 1.0.0 - 2026-11-01\n');
    await run(changelog());
    rmSync(join(folder, 'CHANGELOG.md'));
    await expect(run(changelog())).rejects.toMatchObject({ code: 'ENOENT' });
    mkdirSync(join(folder, 'CHANGELOG.md'));
    await expect(run(changelog())).rejects.toMatchObject({ code: 'UNREADABLE', message: expect.stringContaining('is a folder; name a file') });
    expect(ids()).toEqual(['widget/changelog/1.0.0']);
  });
});
