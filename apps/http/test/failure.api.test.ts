import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApprovedRepositories, type StoreReaders, UnavailableError } from '@vitrine/core';
import { drain } from '../src/serving/server.js';
import { DEFAULT_LIMITS } from '@vitrine/config/limits';
import { Api } from './support/api.js';
import { until } from '@vitrine/test-support';
import { RawClient } from './support/raw-client.js';
import { exchangeRaw } from './support/raw-socket.js';
import { smallWorld } from './support/small-world.js';

/** Reads that end only when their signal aborts. */
function hanging(signals: AbortSignal[]) {
  return (readers: StoreReaders): StoreReaders => ({
    ...readers,
    news: {
      byId: () => new Promise(() => undefined),
      list: (_query, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    },
  });
}

const noAllowlist = {
  current: (): ApprovedRepositories => {
    throw new UnavailableError();
  },
};

afterEach(() => Api.closeAll());

describe('when something fails', () => {
  it('responds within the time budget of a request, and cancels the read', async () => {
    const signals: AbortSignal[] = [];
    const api = await Api.open({ readers: hanging(signals), budgetMs: 60 });
    const answer = await api.get('/api/v1/news');
    expect([answer.status, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([503, '5', 'no-store']);
    expect(answer.json).toMatchObject({ code: 'SOURCE_UNAVAILABLE', data: null, meta: { dataStatus: 'unavailable' } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('cancels the read when the client has disconnected', async () => {
    const signals: AbortSignal[] = [];
    const api = await Api.open({ readers: hanging(signals) });
    const client = (await RawClient.connect(api.port)).send('GET /api/v1/news HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => signals.length === 1);
    client.socket.destroy();
    await until(() => signals[0]?.aborted === true);
    await until(() => api.logLines.join('').includes('"aborted":true'));
  });

  it('tells a client nothing about an internal error, and logs all of it', async () => {
    const readers = (own: StoreReaders): StoreReaders => ({
      ...own,
      news: { byId: own.news.byId, list: () => Promise.reject(new Error('CANARY at /srv/x.js')) },
    });
    const api = await Api.open({ readers });
    const answer = await api.get('/api/v1/news');
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ code: 'INTERNAL', errors: [] });
    expect(JSON.stringify(answer)).not.toMatch(/CANARY|\.js\b|srv/);
    expect(api.logLines.join('')).toContain('CANARY');
  });

  it('rejects requests that need the allowlist if it cannot be read, and no others', async () => {
    const api = await Api.open({ records: smallWorld, approved: noAllowlist });
    for (const target of [
      '/api/v1/development/commits',
      '/api/v1/repositories',
      '/api/v1/repositories/acme/widget',
      '/api/v1/search?q=widget',
      '/api/v1/articles',
    ]) {
      expect([target, (await api.get(target)).status]).toEqual([target, 503]);
    }
    for (const target of ['/api/v1/news', '/api/v1/status', '/api/v1/status/incidents', '/livez'])
      expect([target, (await api.get(target)).status]).toEqual([target, 200]);
    const overview = await api.get('/api/v1/overview');
    expect(overview.json).toMatchObject({
      data: { latestCommit: null, latestRelease: null, latestFinding: null, partial: true, latestNews: [{}] },
      meta: { dataStatus: 'partial' },
    });
    expect(overview.headers['cache-control']).toBe('no-store');
  });

  it('serves a hub in part if one kind cannot be read', async () => {
    const readers = (own: StoreReaders): StoreReaders => ({ ...own, builds: { list: () => Promise.reject(new UnavailableError()) } });
    const api = await Api.open({ records: smallWorld, readers });
    const hub = await api.get('/api/v1/repositories/acme/widget/hub');
    expect(hub.json).toMatchObject({
      data: { builds: [], commits: [{}], partial: true },
      meta: { dataStatus: 'partial', warnings: [{ source: 'build' }] },
    });
  });
});

describe('caching', () => {
  it('lets caches keep complete responses for the time of the route', async () => {
    const api = await Api.open({ records: smallWorld });
    const seconds = async (target: string): Promise<string | undefined> =>
      /max-age=(\d+)/.exec(String((await api.get(target)).headers['cache-control']))?.[1];
    expect(await seconds('/api/v1/development/commits')).toBe('30');
    expect(await seconds('/api/v1/status')).toBe('15');
    expect(await seconds('/api/v1/search?q=widget')).toBe('15');
    expect(await seconds('/api/v1/development/commits/9f1c2d3e4b5a69788796a5b4c3d2e1f001122334')).toBe('300');
    expect(await seconds('/api/v1/development/commits/9f1c2d3')).toBe('30');
  });
});

describe('stopping', () => {
  it('is no longer ready, answers requests in progress, and ends every connection', async () => {
    let isAsked = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const readers = (own: StoreReaders): StoreReaders => ({
      ...own,
      news: {
        byId: own.news.byId,
        list: async (...call) => {
          isAsked = true;
          await released;
          return own.news.list(...call);
        },
      },
    });
    const api = await Api.open({ records: smallWorld, readers });
    const running = exchangeRaw(api.port, 'GET /api/v1/news HTTP/1.1\r\nHost: x\r\n\r\n', 60_000);
    const idle = exchangeRaw(api.port, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n', 60_000);
    await until(() => isAsked);
    api.application.stop();
    const drained = drain(api.server, { graceMs: 50, deadlineMs: 60_000 });
    release();
    const [answer] = await Promise.all([running, idle]);
    expect(answer.text).toMatch(/^HTTP\/1.1 200/);
    expect(answer.text).toContain('Connection: close');
    await drained;
    expect(api.server.listening).toBe(false);
  });

  it('says so on a connection that is still open', async () => {
    const api = await Api.open();
    api.application.stop();
    const answer = await api.send('GET', '/readyz');
    expect([answer.status, answer.headers['connection'], answer.json]).toEqual([503, 'close', { status: 'stopping' }]);
  });
});

describe('the log', () => {
  it('has one line for each request, with the template of its route and without its parameters', async () => {
    const api = await Api.open({ records: smallWorld });
    await api.send('GET', '/api/v1/search?q=topsecret', { Authorization: 'Bearer hidden', Cookie: 'hidden' });
    await api.send('GET', '/api/v1/repositories/acme/hiddenrepo');
    await api.send('GET', '/hiddenpath');
    await until(() => api.logLines.length === 3);
    const lines = api.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/api/v1/search', 200],
      ['GET', '/api/v1/repositories/{owner}/{name}', 404],
      ['GET', null, 404],
    ]);
    expect(
      lines.every(({ durationMs, bytes, requestId }) => typeof durationMs === 'number' && Number(bytes) > 0 && typeof requestId === 'string'),
    ).toBe(true);
    expect(api.logLines.join('')).not.toMatch(/topsecret|hidden/);
  });
});

describe('the index', () => {
  it('links to addresses that exist', async () => {
    const api = await Api.open({ records: smallWorld });
    const { links } = (await api.get('/')).json as { links: { href: string }[] };
    for (const { href } of links) expect([href, (await api.get(href === '/api/v1/search' ? `${href}?q=widget` : href)).status]).toEqual([href, 200]);
    expect(links.length).toBeGreaterThan(10);
  });

  it('has a text for every problem code, and for no other', async () => {
    const api = await Api.open();
    const codes = readFileSync(join(__dirname, '../src/serving/errors.ts'), 'utf8').match(/^ {2}[A-Z_]+(?=:)/gm) ?? [];
    expect(codes.length).toBeGreaterThan(15);
    for (const code of codes) expect((await api.get(`/problems/${code.trim().toLowerCase().replaceAll('_', '-')}`)).body).toContain(code.trim());
    expect((await api.get('/problems/nothing')).status).toBe(404);
  });

  it('does not exist for addresses outside the table', async () => {
    const api = await Api.open();
    for (const [asked, near] of [
      ['/api/v1/incidents', '/api/v1/status/incidents'],
      ['/api/v1/commits', '/api/v1/development/commits'],
    ] as const)
      expect((await api.get(asked)).json).toMatchObject({ status: 404, detail: `There is no such address. Did you mean ${near}?` });
    expect((await api.get('/api/v1/development/commit')).json).toMatchObject({
      code: 'ROUTE_NOT_FOUND',
      detail: expect.stringContaining('/api/v1/development/commits') as string,
    });
  });
});

it('exposes to scripts of other origins exactly the headers that responses have', async () => {
  const down = await Api.open({
    readers: (readers) => ({ ...readers, news: { ...readers.news, list: () => Promise.reject(new UnavailableError()) } }),
    rateLimits: { ...DEFAULT_LIMITS, loopback: true },
  });
  const [unavailable, found] = [await down.get('/api/v1/news'), await down.get('/api/v1')];
  const exposed = String(found.headers['access-control-expose-headers']).toLowerCase().split(', ');
  const sent = new Set([...Object.keys(unavailable.headers), ...Object.keys(found.headers)]);
  expect([unavailable.status, exposed.filter((name) => !sent.has(name))]).toEqual([503, []]);
  await down.close();
});
