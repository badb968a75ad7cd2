import { Allowlist, DAY, HOUR, MINUTE, type StoredRecord } from '@vitrine/core';
import { aCheck, aCommit, aService, aSync, someNews } from '@vitrine/core/testing';
import { until } from '@vitrine/test-support';
import { Api, approving, type Answer } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { NOW, secondCommit, smallWorld } from './support/small-world.js';

const store = { signal: new AbortController().signal };

/** Sync records that stay current for longer than any copy is served, so that they never make a response stale. */
const always: readonly StoredRecord[] = [
  aSync({ feeds: ['repository', 'commit', 'release', 'finding', 'build', 'mission', 'article'], intervalMs: 30 * DAY }),
  aSync({ id: 'public', repositoryRef: '-', feeds: ['news', 'video', 'check', 'incident'], intervalMs: 30 * DAY }),
];
const world = [...smallWorld, secondCommit, ...always];

afterEach(() => Api.closeAll());

async function opened(records: readonly StoredRecord[] = world, approved = approving('acme/widget')) {
  const faulty = new FaultyStore();
  return { faulty, api: await Api.open({ records, approved, readers: faulty.over, cacheAnswers: false }) };
}

const metaOf = ({ json }: Answer) => (json as { meta: Record<string, unknown> }).meta;
const dataOf = ({ json }: Answer) => (json as { data: Record<string, unknown> }).data;

const LISTS = [
  '/api/v1/development/commits',
  '/api/v1/development/commits?limit=1',
  '/api/v1/development/commits/9f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
  '/api/v1/repositories',
  '/api/v1/repositories/acme/widget',
  '/api/v1/repositories/acme/widget/hub',
  '/api/v1/news',
  '/api/v1/search?q=widget',
  '/api/v1/status/services/acme:widget-api/history',
  '/api/v1/status/incidents',
];
const VITAL = ['/api/v1/status', '/api/v1/overview'];

describe('when the store is lost after the start', () => {
  it('returns the last good response of each address, and says so', async () => {
    const { api, faulty } = await opened();
    const answers = new Map<string, Answer>();
    for (const target of [...LISTS, ...VITAL]) answers.set(target, await api.get(target));
    faulty.set('fails');
    api.clock.set(NOW + 90_500);
    for (const [target, good] of answers) {
      expect([target, good.status, metaOf(good)['dataStatus']]).toEqual([target, 200, 'fresh']);
      const stale = await api.get(target);
      expect([target, stale.status, stale.headers['cache-control'], stale.headers['age']]).toEqual([target, 200, 'no-store', '90']);
      expect(dataOf(stale)).toEqual(dataOf(good));
      expect(stale.headers['link']).toBe(good.headers['link']);
      expect(metaOf(stale)).toEqual({
        ...metaOf(good),
        dataStatus: 'stale',
        warnings: [
          {
            code: 'SOURCE_UNAVAILABLE',
            source: 'store',
            detail: 'The store cannot be read; this is the last good answer, of 2026-11-20T13:59:20.000Z.',
          },
        ],
      });
      expect(good.headers['age']).toBeUndefined();
    }
  });

  it('writes them without parsing them, which would take ten times as long', async () => {
    const { api, faulty } = await opened();
    const parse = jest.spyOn(JSON, 'parse');
    const timesParsed = async (): Promise<number> => {
      parse.mockClear();
      await api.get('/api/v1/development/commits');
      return parse.mock.calls.filter(([text]) => text.includes(',"meta":{"apiVersion"')).length;
    };
    const byClient = await timesParsed();
    faulty.set('fails');
    expect([byClient > 0, await timesParsed()]).toEqual([true, byClient]);
    parse.mockRestore();
  });

  it('keeps lists and records for 15 minutes', async () => {
    const { api, faulty } = await opened();
    for (const target of LISTS) await api.get(target);
    faulty.set('fails');
    api.clock.set(NOW + 15 * MINUTE);
    for (const target of LISTS) expect([target, (await api.get(target)).status]).toEqual([target, 200]);
    api.clock.set(NOW + 15 * MINUTE + 1);
    for (const target of LISTS) {
      const late = await api.get(target);
      expect([target, late.status, late.headers['retry-after'], late.headers['cache-control']]).toEqual([target, 503, '5', 'no-store']);
    }
  });

  it.each(VITAL)('%s is judged once in each second, and not for each request', async (target) => {
    const { api, faulty } = await opened([...always, aService(), aCheck({ checkedAt: NOW, validForMs: 500 })]);
    await api.get(target);
    faulty.set('fails');
    const states: (string | undefined)[] = [];
    for (const later of [0, 999, 1_000]) {
      api.clock.set(NOW + later);
      states.push(/"currentState":"(\w+)"/.exec((await api.get(target)).body)?.[1]);
    }
    expect(states).toEqual(['operational', 'operational', 'unknown']);
  });

  it('keeps status and overview for a day', async () => {
    const { api, faulty } = await opened();
    for (const target of VITAL) await api.get(target);
    faulty.set('fails');
    api.clock.set(NOW + DAY);
    for (const target of VITAL) expect([target, metaOf(await api.get(target))['dataStatus']]).toEqual([target, 'stale']);
    api.clock.set(NOW + DAY + 1);
    expect((await api.get('/api/v1/status')).status).toBe(503);
    expect(metaOf(await api.get('/api/v1/overview'))['dataStatus']).toBe('unavailable');
  });

  it('responds with 503 if there is no last good response, and with an overview without data', async () => {
    const { api, faulty } = await opened();
    faulty.set('fails');
    for (const target of LISTS) expect([target, (await api.get(target)).status]).toEqual([target, 503]);
    expect((await api.get('/api/v1/status')).status).toBe(503);
    const overview = await api.get('/api/v1/overview');
    expect(overview.json).toMatchObject({
      data: { status: null, latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [], partial: true },
      meta: { dataStatus: 'unavailable' },
    });
  });

  it('shares its copies between GET and HEAD and between spellings of the same request, and with no other request', async () => {
    const { api, faulty } = await opened();
    await api.send('HEAD', '/api/v1/development/commits?repository=Acme/Widget&from=2026-01-01&limit=20');
    faulty.set('fails');
    for (const same of ['from=2026-01-01T00:00:00Z&repository=acme%2Fwidget', 'limit=20&repository=acme/widget&from=2026-01-01'])
      expect([same, (await api.get(`/api/v1/development/commits?${same}`)).status]).toEqual([same, 200]);
    for (const other of [
      '',
      '?repository=acme/widget',
      '?repository=acme/widget&from=2026-01-01&limit=19',
      '?repository=acme/widget&from=2026-01-02',
    ])
      expect([other, (await api.get(`/api/v1/development/commits${other}`)).status]).toEqual([other, 503]);
  });

  it('keeps only complete responses', async () => {
    const { api, faulty } = await opened();
    faulty.set('fails', 'builds', 'incidents');
    expect(metaOf(await api.get('/api/v1/repositories/acme/widget/hub'))['dataStatus']).toBe('partial');
    expect(metaOf(await api.get('/api/v1/status'))['dataStatus']).toBe('partial');
    expect((await api.get('/api/v1/development/commits?limit=0')).status).toBe(400);
    expect((await api.get('/api/v1/news/none')).status).toBe(404);
    faulty.set('fails');
    for (const target of ['/api/v1/repositories/acme/widget/hub', '/api/v1/status', '/api/v1/news/none'])
      expect([target, (await api.get(target)).status]).toEqual([target, 503]);
    expect(api.application.serving.answers.count).toBe(0);
  });

  it('does not treat a copy as newer because it was served again', async () => {
    const { api, faulty } = await opened();
    await api.get('/api/v1/news');
    faulty.set('fails');
    for (const minute of [5, 10, 15]) {
      api.clock.set(NOW + minute * MINUTE);
      expect((await api.get('/api/v1/news')).headers['age']).toBe(String(minute * 60));
    }
    api.clock.set(NOW + 16 * MINUTE);
    expect((await api.get('/api/v1/news')).status).toBe(503);
  });

  it('does not return records that were removed', async () => {
    const { api, faulty } = await opened();
    const target = '/api/v1/news/nws_4d1x8c';
    await api.get(target);
    await api.store.writer.remove([{ kind: 'news', id: 'nws_4d1x8c' }], store);
    expect((await api.get(target)).status).toBe(404);
    faulty.set('fails');
    expect((await api.get(target)).status).toBe(503);
  });

  it('keeps the newest response', async () => {
    const { api, faulty } = await opened();
    await api.get('/api/v1/news');
    await api.store.writer.put([someNews({ id: 'nws_new', title: 'Newest', publishedAt: NOW, listedAt: NOW })], store);
    await api.get('/api/v1/news');
    faulty.set('fails');
    expect((await api.get('/api/v1/news')).body).toContain('Newest');
  });

  it('serves the copy, and logs the error, if the store fails with an unexpected error', async () => {
    const { api, faulty } = await opened();
    await api.get('/api/v1/news');
    faulty.set('breaks', 'news');
    const stale = await api.get('/api/v1/news');
    expect([stale.status, metaOf(stale)['dataStatus'], stale.body.includes('CANARY')]).toEqual([200, 'stale', false]);
    await until(() => api.logLines.join('').includes('CANARY'));
  });
});

describe('a copy and the allowlist', () => {
  it.each([
    ['with a revision of its own', () => new Allowlist([], 'another')],
    ['made like the first', () => Allowlist.of('acme/gadget')],
  ])('is never served under another allowlist, %s', async (_, other) => {
    const sources = { current: approving('acme/widget', 'acme/gadget').current() };
    const { api, faulty } = await opened([...world, aCommit()], { current: () => sources.current });
    await api.get('/api/v1/development/commits');
    faulty.set('fails');
    sources.current = other().approved();
    expect((await api.get('/api/v1/development/commits')).status).toBe(503);
    expect(metaOf(await api.get('/api/v1/overview'))['dataStatus']).toBe('unavailable');
  });
});

describe('a status that is served again', () => {
  const checked = aCheck({ checkedAt: NOW - 5 * MINUTE, validForMs: 15 * MINUTE });
  const records = [aService(), checked, ...always];

  it.each([
    ['/api/v1/status', (data: Record<string, unknown>) => data],
    ['/api/v1/overview', (data: Record<string, unknown>) => data['status'] as Record<string, unknown>],
  ] as const)('is judged again: %s', async (target, statusIn) => {
    const { api, faulty } = await opened(records);
    expect(statusIn(dataOf(await api.get(target)))).toMatchObject({ overallState: 'operational' });
    faulty.set('fails');
    api.clock.set(NOW + 10 * MINUTE - 1);
    expect(statusIn(dataOf(await api.get(target)))).toMatchObject({ overallState: 'operational', services: [{ currentState: 'operational' }] });
    for (const later of [10 * MINUTE, 23 * HOUR]) {
      api.clock.set(NOW + later);
      const stale = await api.get(target);
      expect(statusIn(dataOf(stale))).toMatchObject({
        overallState: 'unknown',
        services: [{ currentState: 'unknown', lastKnownState: 'operational', uptimePercent: 100, checksTracked: 1 }],
      });
      expect(metaOf(stale)['generatedAt']).toBe('2026-11-20T13:59:20.000Z');
      expect(stale.body).not.toContain('"currentState":"operational"');
    }
  });

  it('is computed again for one service and as a search hit', async () => {
    const { api, faulty } = await opened(records);
    const targets = ['/api/v1/status/services/acme:widget-api', '/api/v1/search?q=widget&type=status-service'];
    for (const target of targets) expect((await api.get(target)).body).toMatch(/"(currentState|description)":"operational"/);
    faulty.set('fails');
    api.clock.set(NOW + 10 * MINUTE);
    for (const target of targets) expect((await api.get(target)).body).toMatch(/"(currentState|description)":"unknown"/);
  });

  it('is the worst state that is still known', async () => {
    const long = aCheck({ serviceKey: 'acme:docs', state: 'degraded', checkedAt: NOW - MINUTE, validForMs: 24 * HOUR });
    const { api, faulty } = await opened([...records, aService({ key: 'acme:docs' }), long]);
    await api.get('/api/v1/status');
    faulty.set('fails');
    api.clock.set(NOW + HOUR);
    expect(dataOf(await api.get('/api/v1/status'))).toMatchObject({
      overallState: 'degraded',
      services: [{ currentState: 'degraded' }, { currentState: 'unknown' }],
    });
  });
});
