import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR, UnavailableError, type StoredRecord } from '@vitrine/core';
import { aCommit, aSync, NOW } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { routeTable } from '../src/views/table.js';
import { Api, approving, type Answer } from './support/api.js';
import { smallWorld } from './support/small-world.js';

const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';
const LIVE = 'public, max-age=15, stale-while-revalidate=30';
const RECORD = 'public, max-age=30, stale-while-revalidate=30';
const PINNED = 'public, max-age=300, stale-while-revalidate=30';
const IF_ERROR = ', stale-if-error=300';

/** An address of every endpoint, with its expected `Cache-Control`. */
const LIFETIMES: readonly (readonly [target: string, cacheControl: string])[] = [
  ['/api/v1', RECORD + IF_ERROR],
  ['/api/v1/development/commits', RECORD],
  [`/api/v1/development/commits/${SHA}`, PINNED],
  ['/api/v1/development/commits/9f1c2d3', RECORD],
  ['/api/v1/development/releases', RECORD],
  ['/api/v1/development/releases/acme%2Fwidget%40v2.1.0', RECORD],
  ['/api/v1/development/activity', RECORD],
  ['/api/v1/development/builds', RECORD],
  ['/api/v1/development/findings', RECORD],
  ['/api/v1/development/findings/fnd_7k2m9q', RECORD],
  ['/api/v1/missions', RECORD],
  ['/api/v1/missions/msn_public-read-api', RECORD],
  ['/api/v1/repositories', RECORD],
  ['/api/v1/repositories/acme/widget', RECORD],
  ['/api/v1/repositories/acme%2Fwidget', RECORD],
  ['/api/v1/repositories/acme/widget/hub', RECORD],
  ['/api/v1/articles', RECORD],
  ['/api/v1/articles/widget-2-1-changelog', RECORD],
  ['/api/v1/videos', RECORD],
  ['/api/v1/videos/vid_8c3p0z', RECORD],
  ['/api/v1/overview', LIVE],
  ['/api/v1/sources', LIVE],
  ['/api/v1/search?q=widget', LIVE],
  ['/api/v1/news', RECORD + IF_ERROR],
  ['/api/v1/news/nws_4d1x8c', RECORD + IF_ERROR],
  ['/api/v1/status', LIVE + IF_ERROR],
  ['/api/v1/status/services', LIVE + IF_ERROR],
  ['/api/v1/status/services/acme:docs', LIVE + IF_ERROR],
  ['/api/v1/status/services/acme:docs/history', LIVE + IF_ERROR],
  ['/api/v1/status/incidents', LIVE + IF_ERROR],
  ['/api/v1/status/maintenance', LIVE + IF_ERROR],
  ['/api/v1/status/incidents/inc_2026-11-20-errors', LIVE + IF_ERROR],
];

it('gives lists, whose addresses have no end, no share of the memory for the status', () => {
  const lists = routeTable.filter((route) => 'data' in route && route.data === 'list');
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter((route) => 'isKeptApart' in route && route.isKeptApart).map(({ path }) => path)).toEqual([]);
});

const WITHOUT_PAGES = [
  '/sitemap.xml',
  '/favicon.svg',
  '/feeds/commits.atom',
  '/feeds/incidents.json',
  '/feeds/maintenance.ics',
  '/badges/status.svg',
];

it.each(WITHOUT_PAGES)('keeps one answer to %s, which has no pages, for all limits and cursors', async (path) => {
  const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE });
  const first = await api.get(path);
  const others = await Promise.all(['limit=3', `cursor=${'A'.repeat(20)}`].map((query) => api.get(`${path}?${query}`)));
  expect([first, ...others].map(({ headers }) => headers['age'])).toEqual([undefined, '0', '0']);
});

const noAllowlist = {
  current: () => {
    throw new UnavailableError();
  },
};
const keyOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8);

afterAll(() => Api.closeAll());

describe('how long caches may keep a response', () => {
  it('is defined for every endpoint', () => {
    const paths = LIFETIMES.map(([target]) => target.split('?', 1)[0] ?? '');
    const patterns = routeTable.flatMap(({ kind, path }) => (kind === 'api' ? [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] : []));
    expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
  });

  it('is different for lists, pinned records and what is live', async () => {
    const api = await Api.open({ records: smallWorld });
    for (const [target, cacheControl] of LIFETIMES)
      expect([target, (await api.get(target)).headers['cache-control']]).toEqual([target, cacheControl]);
  });

  it('includes the time while Vitrine fails only for responses without repository data', async () => {
    const api = await Api.open({ records: smallWorld, approved: noAllowlist });
    for (const [target, cacheControl] of LIFETIMES) {
      const { status, headers } = await api.get(target);
      const isWhole = status === 200 && headers['cache-control'] !== 'no-store';
      expect([target, isWhole]).toEqual([target, cacheControl.endsWith(IF_ERROR)]);
    }
  });

  it('is unchanged if a source is only late', async () => {
    const records = smallWorld.map((record) => (record.kind === 'sync' ? aSync({ ...record, lastSuccessAt: NOW - HOUR }) : record));
    const api = await Api.open({ records });
    const { json, headers } = await api.get('/api/v1/development/commits');
    expect([json, headers['cache-control']]).toMatchObject([{ meta: { dataStatus: 'stale' } }, RECORD]);
  });
});

describe('the header by which caches purge', () => {
  const names = Array.from({ length: 120 }, (_, index) => `acme/Widget-${String(index)}`);
  const commits: readonly StoredRecord[] = names.map((name, index) =>
    aCommit({ repositoryRef: `acme/widget-${String(index)}`, sha: index.toString(16).padStart(40, '0'), committedAt: NOW - index, title: name }),
  );
  const keysOf = ({ headers }: Answer, header = 'surrogate-key'): unknown => headers[header];

  it('has the key of each repository in the response, computed as in the guide, in any letter case', async () => {
    const api = await Api.open({ records: commits, approved: approving(...names) });
    expect(keysOf(await api.get('/api/v1/development/commits?limit=2'))).toBe([keyOf('acme/widget-0'), keyOf('acme/widget-1')].sort().join(' '));
    expect(keysOf(await api.get('/api/v1/development/commits?limit=2&repository=ACME/widget-7'))).toBe(keyOf('acme/widget-7'));
    expect(keysOf(await api.send('HEAD', '/api/v1/development/commits?repository=acme/widget-7'))).toBe(keyOf('acme/widget-7'));
  });

  it('has the key that the command in the guide prints', async () => {
    const guide = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'guides', 'deploy.md'), 'utf8');
    const [, command = '', key = ''] = /^(printf .*?) +# ([0-9a-f]{8})$/m.exec(guide) ?? [];
    expect(execFileSync('sh', ['-c', command]).toString().trim()).toBe(key);
    const api = await Api.open({ records: smallWorld });
    expect(keysOf(await api.get('/api/v1/repositories/acme/widget'))).toBe(key);
  });

  it('is limited by the number of records in a response', async () => {
    const api = await Api.open({ records: commits, approved: approving(...names) });
    const header = String(keysOf(await api.get('/api/v1/development/commits?limit=100')));
    expect([header.split(' ').length, header.length]).toEqual([100, 899]);
  });

  it('is missing in responses without repositories, and in responses that no cache keeps', async () => {
    const api = await Api.open({ records: smallWorld, approved: approving('acme/widget') });
    for (const target of ['/api/v1/status', '/api/v1/news', '/api/v1/search?q=nothing', '/api/v1/repositories/acme/nobody', '/', '/livez'])
      expect([target, keysOf(await api.get(target))]).toEqual([target, undefined]);
    const part = await Api.open({
      records: smallWorld,
      readers: (own) => ({ ...own, builds: { list: () => Promise.reject(new UnavailableError()) } }),
    });
    expect(keysOf(await part.get('/api/v1/repositories/acme/widget/hub'))).toBeUndefined();
  });

  it('is the configured one, separates the keys of Cache-Tag by commas, and is missing by default', async () => {
    const tags = await Api.open({ records: commits, approved: approving(...names), purgeHeader: 'Cache-Tag' });
    const answer = await tags.get('/api/v1/development/commits?limit=2');
    expect([keysOf(answer), keysOf(answer, 'cache-tag')]).toEqual([undefined, [keyOf('acme/widget-0'), keyOf('acme/widget-1')].sort().join(',')]);
    const off = await Api.open({ records: commits, approved: approving(...names), purgeHeader: null });
    const { headers } = await off.get('/api/v1/development/commits?limit=2');
    expect([headers['surrogate-key'], headers['cache-tag']]).toEqual([undefined, undefined]);
  });
});
