import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, NO_REPOSITORY, type Article, type Image } from '@vitrine/core';
import { articlesSource } from '../articles/articles-source.js';
import type { ArticleOrigin, TextsOptions } from '../articles/markdown-files.js';
import { imageFilesIn } from '../articles/markdown-links.js';
import { parseArticle } from '../articles/parse-article.js';
import { changelogSource } from '../changelog/changelog-source.js';
import { FakeStore } from '../../testing/fake-store.js';
import { FilesSource, type SourceFile } from './files-source.js';

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

const ORIGIN: ArticleOrigin = {
  label: 'docs',
  repositoryRef: NO_REPOSITORY,
  publicUrl: null,
  language: 'en',
  defaultUrl: (id) => `https://v.example/${id}`,
};

function source(more: Partial<TextsOptions> = {}): FilesSource {
  return articlesSource({ ...ORIGIN, path: folder, intervalMs: 60_000, ...more });
}

function run(one = source(), writer: FakeStore = store) {
  now += 60_000;
  return one.run({ writer, collection: store, clock: { now: () => now }, signal: new AbortController().signal, progress: () => undefined });
}

describe('a folder of articles', () => {
  it('is read with its subfolders, without hidden files and without links', async () => {
    mkdirSync(join(folder, 'sub', '.git'), { recursive: true });
    for (const name of ['node_modules', '_drafts', 'sub/_drafts']) mkdirSync(join(folder, name));
    for (const name of ['a.md', 'sub/b.MARKDOWN', 'sub/.git/c.md', '.d.md', 'node_modules/e.md', 'f.txt', '_drafts/h.md', 'sub/_drafts/i.md'])
      write(name, '# Title');
    writeFileSync(join(home, 'secret.md'), 'secret');
    symlinkSync(join(home, 'secret.md'), join(folder, 'g.md'));
    const { warnings } = await run();
    expect(ids()).toEqual(['docs/a', 'docs/sub/b']);
    expect(warnings).toEqual([expect.stringMatching(/g\.md was skipped, because it is a link; put the file itself there$/)]);
  });

  it.each([
    ['a.markdown', 'a.md'],
    ['a b.md', 'a%20b.md'],
  ])('shows one of two files that would have the same address, and the other when it is alone: %s, %s', async (other, shown) => {
    const one = source();
    write(other, '# Other');
    write(shown, '# Shown');
    const { warnings } = await run(one);
    expect(articles().map(({ title }) => title)).toEqual(['Shown']);
    rmSync(join(folder, shown));
    await run(one);
    expect(articles().map(({ title }) => title)).toEqual(['Other']);
    expect(warnings).toEqual([`${other} was skipped, because ${shown} has the same address; rename one of them`]);
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
          expect.stringMatching(/b\.md is larger than 1 MB; split it$/),
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

  it.each(['utf8', 'utf16le'] as const)('is read in the encoding of its byte order mark: %s', async (encoding) => {
    writeFileSync(join(folder, 'a.md'), Buffer.from('\ufeff---\r\ntitle: Grüße\r\n---\r\nHällo\r\n', encoding));
    expect(await run()).toMatchObject({ stored: 1, warnings: [] });
    expect(articles()).toMatchObject([{ title: 'Grüße', body: 'Hällo' }]);
  });

  it('shows no pointer that Git LFS leaves in place of a text', async () => {
    write('a.md', `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123\n`);
    write('b.md', '# B');
    expect((await run()).warnings).toEqual([expect.stringContaining('a.md: is a pointer of Git LFS; keep the text itself in git')]);
    expect(ids()).toEqual(['docs/b']);
  });

  it('says at every run which files have records that the store has refused, until they are repaired', async () => {
    store.refuse = (record) => (record.kind === 'article' && record.body.includes('refused') ? 'email-in-identifier' : null);
    const left = (name: string) => `${name}: records that were left out, because their ids or addresses contain an email address: 1`;
    for (const name of ['a.md', 'b.md']) write(name, 'refused');
    write('c.md', 'text');
    const one = source();
    for (const stored of [1, 0]) expect(await run(one)).toMatchObject({ stored, warnings: [left('a.md'), left('b.md')] });
    write('a.md', 'repaired');
    for (const stored of [1, 0]) expect(await run(one)).toMatchObject({ stored, warnings: [left('b.md')] });
  });

  describe('with images', () => {
    const images = () => store.all.filter((record): record is Image => record.kind === 'image');
    const withImages = () => source({ imageUrl: (name) => `https://v.example/images/${name}`, publicUrl: 'https://acme.example/docs' });
    const png = (text = '') => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)]);
    const put = (name: string, content: Uint8Array) => {
      writeFileSync(join(folder, name), content);
    };

    it('stores those that its texts name, by content, and links to them', async () => {
      mkdirSync(join(folder, 'img'));
      put('img/a b.png', png('a'));
      put('img/c.png', Buffer.from('ffd8ffe0', 'hex'));
      put('unused.png', png());
      write('a.md', '# A\n![x](img/a%20b.png "t") [y](./img/c.png)\n<img alt="z" src="img/c.png">\n`![x](img/a%20b.png)`');
      expect(await run(withImages())).toMatchObject({ stored: 3, warnings: [] });
      const [first, second] = images();
      expect([first, second]).toMatchObject([
        { id: expect.stringMatching(/^[0-9a-f]{32}\.png$/), articleId: 'docs/a', data: png('a').toString('base64') },
        { id: expect.stringMatching(/^[0-9a-f]{32}\.jpg$/), articleId: 'docs/a' },
      ]);
      const address = (image: Image | undefined) => `https://v.example/images/${String(image?.id)}`;
      expect(articles()[0]?.body).toBe(
        `# A\n![x](${address(first)} "t") [y](${address(second)})\n<img alt="z" src="${address(second)}">\n\`![x](img/a%20b.png)\``,
      );
    });

    it('leaves out what is no image, too large, hidden or beyond a link, and says what can be mended', async () => {
      put('page.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
      put('large.png', png('x'.repeat(1_024 * 1_024)));
      put('.hidden.png', png());
      writeFileSync(join(home, 'secret.png'), png());
      symlinkSync(join(home, 'secret.png'), join(folder, 'link.png'));
      symlinkSync(home, join(folder, 'up'));
      const names = ['page.png', 'large.png', '.hidden.png', 'link.png', 'up/secret.png', 'missing.png', 'drawing.svg'];
      write('a.md', [...names, '../secret.png'].map((name) => `![](${name})`).join(' '));
      const one = withImages();
      const { warnings } = await run(one);
      expect((await run(one)).warnings).toEqual(warnings);
      expect(warnings).toEqual([
        expect.stringContaining('link.png was skipped'),
        expect.stringContaining('up was skipped'),
        'a.md: images that are not shown: page.png is neither PNG, JPEG, WebP nor GIF; large.png is larger than 1 MiB',
      ]);
      expect(images()).toEqual([]);
      expect(articles()[0]?.body).toBe(
        [...names, '../secret.png'].map((name) => `![](${new URL(name, 'https://acme.example/docs/').href})`).join(' '),
      );
    });

    it('follows the file of an image, and removes it with its article', async () => {
      write('a.md', '![](a.png) ![](b.png)');
      put('a.png', png('1'));
      await run(withImages());
      const [before] = images();
      expect(await run(withImages())).toMatchObject({ stored: 0, unchanged: 0 });
      put('a.png', png('2'));
      put('b.png', png('b'));
      expect(await run(withImages())).toMatchObject({ stored: 3, removed: 1 });
      expect(images()).toHaveLength(2);
      expect(images()).not.toContainEqual(before);
      rmSync(join(folder, 'b.png'));
      expect(await run(withImages())).toMatchObject({ removed: 1 });
      write('a.md', '---\ndraft: true\n---\n![](a.png)');
      expect(await run(withImages())).toMatchObject({ removed: 2 });
      expect(store.all.filter(({ kind }) => kind !== 'sync')).toEqual([]);
    });

    it('shows a text without an image that no file can be, or that cannot be read', async () => {
      symlinkSync('loop.png', join(folder, 'loop.png'));
      write('a.md', `![](%00.png) ![](${'x'.repeat(300)}.png) ![](loop.png)`);
      await run(withImages());
      expect([articles().length, images()]).toEqual([1, []]);
    });
  });

  it.each([
    ['to its source', 'https://acme.example/docs', 'https://acme.example/docs/b.md'],
    ['nowhere', null, 'b.md'],
  ])('links an article to another one, and %s while that is not shown', async (_, publicUrl, hidden) => {
    const one = source({ publicUrl });
    const link = () => articles().map(({ id, body }) => `${id}: ${/\]\((.*)\)/.exec(body)?.[1] ?? ''}`)[0];
    write('a.md', '[b](b.md)');
    for (const [text, target] of [
      ['---\ndraft: true\n---\n# B', hidden],
      ['# B', 'https://v.example/docs/b'],
      [`---\ndate: ${new Date(now + 86_400_000).toISOString()}\n---\n# B`, hidden],
      ['# B', 'https://v.example/docs/b'],
      ['---\npublished: false\n---\n# B', hidden],
    ]) {
      write('b.md', text ?? '');
      await run(one);
      expect(link()).toBe(`docs/a: ${target ?? ''}`);
    }
    write('b.md', '# B');
    await run(one);
    rmSync(join(folder, 'b.md'));
    await run(one);
    expect(link()).toBe(`docs/a: ${hidden}`);
    // A file that was never read has no article either.
    write('b.md', '---\nkind: nonsense\n---\n');
    await run(one);
    expect(link()).toBe(`docs/a: ${hidden}`);
    // Nothing is written while nothing changes.
    expect(await run(one)).toMatchObject({ stored: 0, unchanged: 0, removed: 0 });
    write('b.md', '# B');
    await run(one);
    expect(link()).toBe('docs/a: https://v.example/docs/b');
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
      message: `${folder} does not exist; create it, or correct the path`,
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

describe('the room for images', () => {
  const images = () => store.all.filter(({ kind }) => kind === 'image');
  const textWith = (count: number) => Array.from({ length: count }, (_, image) => `![](${String(image)}.gif)`).join('\n');

  /** Files that are not on disk: their images are as large as they say, whatever their content. */
  function unwritten(texts: ReadonlyMap<string, string>, bytes: number): FilesSource {
    const files = [...texts].map(([name, text]): SourceFile => ({
      name,
      look: () => Promise.resolve({ version: text, modifiedAt: 0 }),
      read: () => Promise.resolve(text),
      parse: (file) => parseArticle(file, { ...ORIGIN, imageUrl: (image) => `https://v.example/images/${image}` }),
      images: {
        namedIn: (file) => imageFilesIn(file.text, file.name),
        find: (path) => Promise.resolve({ version: String(bytes), bytes, read: () => Promise.resolve(Buffer.from(`GIF89a${path}`)) }),
      },
    }));
    const find = () => Promise.resolve({ files, warnings: [], settings: null });
    return new FilesSource({ type: 'article', label: 'docs', repositoryRef: NO_REPOSITORY, intervalMs: 60_000, find });
  }

  it('is 50 of a text, and 64 MiB or 1,024 of a source', async () => {
    const texts = new Map(Array.from({ length: 21 }, (_, file) => [`${String(file).padStart(2, '0')}.md`, textWith(60)]));
    const { warnings } = await run(unwritten(texts, 10));
    expect(images()).toHaveLength(1_024);
    expect(warnings[0]).toBe('00.md: images that are not shown: the text names more than 50');
    expect(warnings[20]).toMatch(/^20\.md: images that are not shown: 24\.gif is more than a source may store; /);
    for (const name of ['00.md', '01.md', '02.md']) texts.set(name, '# none');
    await run(unwritten(texts, 10));
    texts.set('00.md', textWith(60));
    await run(unwritten(texts, 10));
    expect(images().length).toBeLessThanOrEqual(1_024);
    await run(unwritten(texts, 1_000_000));
    expect(images()).toHaveLength(67);
  });

  it('is not for texts that are not shown, and an image is stored as soon as there is room', async () => {
    const draft = `---\ndraft: true\n---\n${textWith(50)}`;
    const texts = new Map([
      ['0.md', draft],
      ['1.md', draft],
      ['2.md', textWith(50)],
    ]);
    const source = () => unwritten(texts, 1_000_000);
    await run(source());
    expect(images()).toHaveLength(50);
    texts.set('1.md', textWith(50));
    const { warnings } = await run(source());
    expect(images()).toHaveLength(67);
    expect(warnings).toEqual([expect.stringMatching(/^2\.md: images that are not shown: /)]);
    expect((await run(source())).warnings).toEqual(warnings);
    texts.set('1.md', '# none');
    await run(source());
    expect(images()).toHaveLength(50);
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

describe.each([
  ['an article', 'a.md', '# A', () => source()],
  ['one article of many', 'b.md', '# B', () => (write('c.md', '# C'), source())],
  [
    'a changelog',
    'CHANGELOG.md',
    '## 1.0.0 - 2026-11-01\n',
    () => changelogSource({ ...ORIGIN, path: join(folder, 'CHANGELOG.md'), intervalMs: 60_000 }),
  ],
] as const)('%s', (_what, name, text, make) => {
  it('stays while its file is empty, as it is for a moment when a program writes it', async () => {
    write(name, text);
    await run(make());
    const before = ids();
    expect(before).not.toEqual([]);
    for (const empty of ['', ' \n\n']) {
      write(name, empty);
      const warnings = await run(make()).then(
        (report) => report.warnings,
        (error: unknown) => [String(error)],
      );
      expect(warnings).toEqual([expect.stringContaining(`${name}: is empty; write a text`)]);
      expect(ids()).toEqual(before);
    }
  });
});
