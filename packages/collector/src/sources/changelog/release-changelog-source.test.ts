import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Article, Release } from '@vitrine/core';
import { aRelease } from '@vitrine/core/testing';
import { FakeStore } from '../../testing/fake-store.js';
import { changelogSource, releaseChangelogSource } from './changelog-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);

let store: FakeStore;
beforeEach(() => {
  store = new FakeStore();
});

function run(publicUrl: string | null = null, now = NOW) {
  const source = releaseChangelogSource({
    label: 'acme/widget',
    repositoryRef: 'acme/widget',
    publicUrl,
    language: 'en',
    intervalMs: 60_000,
    defaultUrl: (id) => `https://v.example/${id}`,
  });
  return source.run({
    writer: store,
    collection: store,
    clock: { now: () => now },
    signal: new AbortController().signal,
    progress: () => undefined,
  });
}

const articles = () => store.all.filter((record): record is Article => record.kind === 'article');
const release = (tagName: string, body: string, more: Partial<Release> = {}) =>
  aRelease({ tagName, id: `acme/widget@${tagName}`, body, publishedAt: NOW - 1_000, sourceUrl: `https://git.example/${tagName}`, ...more });

describe('a changelog of the stored releases', () => {
  it('has an article for each release with notes, with its changes at any level of headings', async () => {
    await store.put([
      release('v2.1.0', "Faster.\n\n## Added\n\n- Paging, by ada@acme.example\n\n## What's Changed\n\n- Not typed\n\n#### Fixed\n* Rows", {
        publishedAt: 5,
      }),
      release('2.0.0-rc.1', 'First words.\n'),
      release('v1.0.0', '  \n'),
      release('v9', 'of another', { repositoryRef: 'acme/gadget', id: 'acme/gadget@v9' }),
    ]);
    expect(await run()).toMatchObject({ stored: 2, removed: 0, warnings: [] });
    expect(articles()).toMatchObject([
      { id: 'acme/widget/changelog/2.0.0-rc.1', title: 'widget 2.0.0-rc.1', summary: 'First words.', changes: [], repositoryRef: 'acme/widget' },
      {
        id: 'acme/widget/changelog/2.1.0',
        articleKind: 'changelog',
        title: 'widget 2.1.0',
        version: '2.1.0',
        publishedAt: 5,
        url: 'https://git.example/v2.1.0',
        summary: 'Faster.',
        changes: [
          { type: 'added', text: 'Paging, by' },
          { type: 'fixed', text: 'Rows' },
        ],
        provenance: { source: 'acme/widget', isOfficialSource: true },
      },
    ]);
  });

  it('follows the releases: only changed notes are written again, and the article of a release that is gone goes', async () => {
    const [first, second] = [release('v1.0.0', 'one'), release('v2.0.0', 'two')];
    await store.put([first, second, release('v3.0.0', 'three')]);
    await run();
    await store.put([{ ...second, body: '### Security\n- Fixed a hole' }]);
    await store.remove([first]);
    expect(await run()).toMatchObject({ stored: 1, unchanged: 0, removed: 1 });
    expect(articles().map(({ version, changes }) => [version, changes.length])).toEqual([
      ['2.0.0', 1],
      ['3.0.0', 0],
    ]);
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0, removed: 0 });
  });

  it.each(['constructor', 'toString', '__proto__'])('follows the release of a tag that is called %s', async (tag) => {
    await store.put([release(tag, 'one'), release('v1.0.0', 'other')]);
    expect(await run()).toMatchObject({ stored: 2, warnings: [] });
    expect(await run()).toMatchObject({ stored: 0, unchanged: 0 });
    await store.put([release(tag, 'two')]);
    expect(await run()).toMatchObject({ stored: 1, removed: 0 });
    await store.remove([release(tag, 'two')]);
    expect(await run()).toMatchObject({ stored: 0, removed: 1 });
  });

  it('leads to the address of the configuration, if there is one', async () => {
    await store.put([release('v1.0.0', 'one')]);
    await run();
    expect(await run('https://acme.example/changes')).toMatchObject({ stored: 1 });
    expect(articles().map(({ url }) => url)).toEqual(['https://acme.example/changes']);
  });

  it('shows a release of the future when its time has come', async () => {
    await store.put([release('v2.0.0', 'two', { publishedAt: NOW + 5_000 }), release('v1.0.0', 'one')]);
    await run();
    expect(articles().map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await run(null, NOW + 5_000)).toMatchObject({ stored: 1, unchanged: 0, warnings: [] });
    expect(articles().map(({ version }) => version)).toEqual(['1.0.0', '2.0.0']);
  });

  it('takes the newest of releases with the same version, and says so', async () => {
    await store.put([release('v1.0.0', 'old', { publishedAt: 1 }), release('1.0.0', 'new', { publishedAt: 2 })]);
    expect((await run()).warnings).toEqual(['acme/widget: releases with the version of a newer one, which were left out: 1']);
    expect(articles().map(({ body }) => body)).toEqual(['new']);
  });
});

describe('a changelog in a file, without dates', () => {
  it('takes the dates of tags as soon as they are stored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'changelog-'));
    writeFileSync(join(folder, 'C.md'), '## 2.0.0\n\nTwo.\n\n## 1.0.0\n\nOne.\n');
    const source = changelogSource({
      label: 'acme/widget',
      repositoryRef: 'acme/widget',
      publicUrl: null,
      language: 'en',
      intervalMs: 60_000,
      path: join(folder, 'C.md'),
      defaultUrl: (id) => `https://v.example/${id}`,
    });
    let now = NOW;
    const context = {
      writer: store,
      collection: store,
      clock: { now: () => (now += 60_000) },
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    expect(await source.run(context)).toMatchObject({ stored: 0, warnings: [expect.stringContaining('not listed')] });
    await store.put([release('v1.0.0', '', { publishedAt: 5 })]);
    expect(await source.run(context)).toMatchObject({ stored: 2, warnings: [] });
    // Version 2.0.0 still waits for its tag, which is no reason to store everything again.
    expect(await source.run(context)).toMatchObject({ stored: 0 });
    await store.put([release('v2.0.0', '', { publishedAt: 9 })]);
    expect(await source.run(context)).toMatchObject({ stored: 2, warnings: [] });
    expect(articles().map(({ version, publishedAt }) => [version, publishedAt])).toEqual([
      ['1.0.0', 5],
      ['2.0.0', 9],
    ]);
    expect(await source.run(context)).toMatchObject({ stored: 0, unchanged: 0, removed: 0 });
    rmSync(folder, { recursive: true });
  });
});
