import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, DAY, MINUTE, UnavailableError, type StoredRecord } from '@vitrine/core';
import {
  aCheck,
  aCommit,
  anArticle,
  anImage,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  CANARY,
  NOW,
  Random,
  randomRecords,
  someNews,
  StandingClock,
  withCanary,
} from '@vitrine/core/testing';
import { isTorture, itInTorture, sampled, siteLinks } from '@vitrine/test-support';
import { HtmlValidate } from 'html-validate/node';
import { siteFiles } from '../src/index.js';
import { REQUEST_BUDGET_MS } from '../src/serving/computations.js';
import { FaultyStore } from './support/faulty-store.js';
import { hostileWorld } from './support/page-worlds.js';
import { copyOf } from './support/site-copy.js';
import { PUBLIC_URL, smallWorld } from './support/small-world.js';

/** Of each kind. */
const RANDOM_RECORDS = isTorture ? 20 : 6;
const sha = (serial: number): string => serial.toString(16).padStart(40, '0');
const commits = (count: number): readonly StoredRecord[] =>
  Array.from({ length: count }, (_, serial) => aCommit({ sha: sha(serial), title: `Commit ${String(serial)}`, committedAt: NOW - serial * MINUTE }));
const named = (texts: ReadonlyMap<string, string>, pattern: RegExp): readonly string[] => [...texts.keys()].filter((path) => pattern.test(path));

describe('the files of a copy', () => {
  let ofSmallWorld: ReadonlyMap<string, string>;
  beforeAll(async () => {
    ofSmallWorld = await copyOf(smallWorld);
  });

  it.each(sampled(['/team/status', ''], 2))('have no dead link when they are published below "%s"', async (basePath) => {
    const publicUrl = `${PUBLIC_URL}${basePath}`;
    const own = `${publicUrl}/status/incidents/${encodeURIComponent('inc:own')}`;
    const body = `[dead](${publicUrl}/commits/none) [known](${publicUrl}/status/services/acme%3Awidget-api) <${own}>\n![x](${publicUrl}/images/${anImage().id}) ![gone](${publicUrl}/images/${'a'.repeat(32)}.png) [part](${publicUrl}/articles/own#text-x)\n\n# X`;
    const image = anImage({ articleId: 'own' });
    const records = [...smallWorld, ...commits(10), image, anArticle({ id: 'own', body }), anIncident({ id: 'inc:own', sourceUrl: own })];
    const gone = aService({ key: 'gone', healthUrl: `${publicUrl}/healthz` });
    const texts = await copyOf([...records, gone], { publicUrl });
    expect(texts.get('status/services/gone/index.html')).toContain(`<span>${publicUrl}/healthz</span>`);
    const { count, dead } = siteLinks(texts, publicUrl);
    expect(dead).toEqual([]);
    expect(count).toBeGreaterThan(1_000);
    expect(texts.get('articles/own/index.html')).toContain(
      `<a href="${basePath}/status/services/acme~widget-api/" rel="nofollow noopener">known</a>`,
    );
    expect(texts.get(`images/${image.id}`)).toMatch(/^GIF89a/);
    expect(texts.get('articles/own/index.html')).toContain(`<img src="${basePath}/images/${image.id}" alt="x"`);
    expect(texts.get('articles/own/index.html')).toContain(`<a href="${basePath}/articles/own/#text-x"`);
    expect(texts.get('feeds/articles.atom')).toContain(` href="${publicUrl}/articles/own/"`);
    expect([...texts.keys()]).not.toContain(`images/${'a'.repeat(32)}.png`);
    expect(texts.get('api/v1/status/incidents.json')).toContain(`"sourceUrl":"${publicUrl}/status/incidents/inc~own/"`);
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining(['index.html', '404.html', 'status/index.html', 'robots.txt', 'sitemap.xml', 'favicon.svg', 'manifest.webmanifest']),
    );
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining(['feeds/commits.atom', 'feeds/maintenance.ics', 'badges/services/acme~widget-api/state.svg']),
    );
  });

  itInTorture('are those of the first 200 records of a list, and of all repositories, services, releases, articles', async () => {
    const many = Array.from({ length: 230 }, (_, serial) => [
      aRelease({ tagName: `v${String(serial)}`, publishedAt: NOW - serial * MINUTE }),
      anArticle({ id: `art${String(serial)}`, publishedAt: NOW - serial * MINUTE }),
      someNews({ id: `nws${String(serial)}`, publishedAt: NOW - serial * MINUTE, listedAt: NOW - serial * MINUTE }),
    ]).flat();
    const texts = await copyOf([aRepositoryRecord(), ...many, ...commits(210)]);
    for (const [pattern, count] of [
      [/^commits\/.+index\.html$/, 200],
      [/^news\/.+index\.html$/, 200],
      [/^releases\/.+index\.html$/, 230],
      [/^articles\/.+index\.html$/, 230],
      [/^api\/v1\/articles\/.+\.json$/, 230],
    ] as const)
      expect([pattern, named(texts, pattern).length]).toEqual([pattern, count]);
    const list = JSON.parse(texts.get('api/v1/development/commits.json') ?? '') as {
      readonly data: unknown[];
      readonly meta: { readonly hasMore: boolean };
    };
    expect([list.data.length, list.meta.hasMore]).toEqual([200, true]);
    expect(texts.get('commits/index.html')).toContain('This copy holds the newest records only.');
  });

  it('have no forms, and say when they were made', () => {
    const pages = [...ofSmallWorld].filter(([path]) => path.endsWith('.html'));
    expect(pages.filter(([, text]) => text.includes('<form')).map(([path]) => path)).toEqual([]);
    expect(
      pages.filter(([, text]) => !text.includes('This page is a copy, made <time datetime="2026-11-20T13:59:20.000Z" title=')).map(([path]) => path),
    ).toEqual([]);
  });

  it('have the moment at which the evidence for a state ends', async () => {
    const records = [aService({ key: 'web' }), aCheck({ serviceKey: 'web', checkedAt: NOW - 5 * MINUTE, validForMs: 15 * MINUTE })];
    const page = (await copyOf(records)).get('status/index.html') ?? '';
    const until = 'data-until="2026-11-20T14:09:20.000Z"';
    expect(page.split(until)).toHaveLength(3);
    expect(page).toContain('data-expired="Not checked since 20 Nov 2026, 13:54"');
    // What has expired already is not a state.
    expect((await copyOf(records, { now: NOW + DAY })).get('status/index.html')).not.toContain('data-until');
  });

  itInTorture('are the same for the same records and the same time', async () => {
    expect(await copyOf([...smallWorld].reverse())).toEqual(ofSmallWorld);
  });

  it('are not changed by records of repositories that are not approved', async () => {
    const random = new Random(44);
    const approved = ['acme/widget', 'acme/gadget'];
    const shown = [...smallWorld, ...randomRecords(random, ['acme/widget', 'acme/gadget'], 0, RANDOM_RECORDS)];
    const hidden = randomRecords(random, ['acme/secret', 'acme/widget#9', 'acme/aaa'], 1_000, RANDOM_RECORDS).map(withCanary);
    const both = await copyOf([...hidden, ...shown], { approved });
    expect(both).toEqual(await copyOf(shown, { approved }));
    expect(JSON.stringify([...both])).not.toContain(CANARY);
  });

  it('have a page for each hostile id, in its folder', async () => {
    const ids = [
      '../../../etc/passwd',
      '..%2f..',
      '%2e%2e',
      'A',
      'a',
      'a:b',
      'a~b',
      'a.json',
      'a.json/b',
      'index.html',
      'a/index.html',
      '.git/config',
      '"<x>&',
      'x?y#z',
      'x\\y',
      '//',
      'x'.repeat(200),
    ];
    const texts = await copyOf(
      ids.map((id, index) => someNews({ id, title: `News ${String(index)}.`, publishedAt: NOW - index * MINUTE, listedAt: NOW - index * MINUTE })),
    );
    const pages = named(texts, /^news\/.+\/index\.html$/);
    expect(new Set(pages.map((path) => path.toLowerCase())).size).toBe(ids.length);
    expect([...texts.keys()].filter((path) => !/^(?:[a-z0-9][\w.@~-]*\/)*[a-z0-9][\w.~@-]*$/.test(path))).toEqual([]);
    const files = new Set(texts.keys());
    for (const path of files)
      for (let folder = path; folder.includes('/');) expect(files).not.toContain((folder = folder.slice(0, folder.lastIndexOf('/'))));
    expect(ids.filter((_, index) => !pages.some((path) => texts.get(path)?.includes(`News ${String(index)}.</h1>`)))).toEqual([]);
    expect(siteLinks(texts, PUBLIC_URL).dead).toEqual([]);
  });

  itInTorture('are valid HTML, also with hostile records', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:recommended'],
      // The style of the text is the renderer's, and titles are those of records.
      rules: Object.fromEntries(
        [
          'void-style',
          'attribute-boolean-style',
          'attribute-empty-style',
          'doctype-style',
          'no-trailing-whitespace',
          'long-title',
          'no-raw-characters',
        ].map((rule) => [rule, 'off']),
      ),
    });
    const texts = await copyOf(hostileWorld);
    expect(siteLinks(texts, PUBLIC_URL).dead).toEqual([]);
    const found: string[] = [];
    for (const path of [
      'index.html',
      'status/index.html',
      'commits/index.html',
      'about/index.html',
      'repositories/acme/widget/index.html',
      '404.html',
    ]) {
      const { results } = await validator.validateString(texts.get(path) ?? '');
      for (const { messages } of results) for (const { ruleId, message } of messages) found.push(`${path}: ${ruleId}: ${message}`);
    }
    expect(found).toEqual([]);
  });

  itInTorture('are made also by a store that needs longer for a part than a request may take', async () => {
    const store = new FaultyStore();
    store.set({ delayMs: REQUEST_BUDGET_MS + 100 }, 'activity');
    expect([...(await copyOf([aRepositoryRecord()], { readers: store.over })).keys()]).toContain('index.html');
  });

  it('are not made when a part cannot be read', async () => {
    const store = new FaultyStore();
    store.set('fails', 'activity');
    await expect(copyOf(smallWorld, { readers: store.over })).rejects.toThrow(UnavailableError);
  });

  it('can be asked for with `map`, which passes more than the options', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const { signal } = new AbortController();
    const copies = [PUBLIC_URL]
      .map((publicUrl) => ({ store, approved: new Allowlist([]).approved(), publicUrl, site: {}, now: NOW, signal }))
      .map(siteFiles);
    for (const files of copies) {
      expect((await files.next()).value).toHaveProperty('path');
      await files.return(undefined);
    }
  });

  it('take a constant number of reads for each file', async () => {
    const reads = async (count: number): Promise<readonly [calls: number, files: number]> => {
      const store = new FaultyStore();
      const texts = await copyOf([aRepositoryRecord(), ...commits(count)], { readers: store.over });
      return [store.calls(), texts.size];
    };
    const [[few, fewFiles], [many, manyFiles]] = [await reads(5), await reads(15)];
    expect(manyFiles - fewFiles).toBe(20);
    // The record, its neighbours, its builds and findings, and what says how current they are.
    expect((many - few) / (manyFiles - fewFiles)).toBeLessThanOrEqual(5);
  });
});
