import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, UnavailableError, type ApprovedRepositories } from '@vitrine/core';
import { aCommit, StandingClock } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { itInTorture } from '@vitrine/test-support';
import { createVitrineHandler } from '../src/index.js';
import { Api, type Answer } from './support/api.js';
import { heapUsed } from './support/heap-used.js';
import { NOW, smallWorld } from './support/small-world.js';

const context = { signal: new AbortController().signal };
const COMMITS = '/api/v1/development/commits';

afterEach(() => Api.closeAll());

const etagOf = ({ headers }: Answer): string => String(headers['etag']);

describe('requests that are spelt alike', () => {
  it('do not share an answer if they ask for different things', async () => {
    const api = await Api.open({ records: smallWorld });
    const different = [
      COMMITS,
      `${COMMITS}?limit=1`,
      `${COMMITS}?author=ada`,
      `${COMMITS}?author=Ada`,
      `${COMMITS}?author=ada%26limit%3D1`,
      `${COMMITS}?branch=ada`,
      `${COMMITS}?author=a%2Bb`,
      `${COMMITS}?author=a+b`,
      `${COMMITS}?to=2026-11-19`,
      `${COMMITS}?to=2026-11-19T00:00:00Z`,
      `${COMMITS}?from=2026-11-19`,
      '/api/v1/repositories/acme/widget',
      '/api/v1/repositories/acme%2Fwidget',
      '/api/v1/repositories/acme/widget/hub',
    ];
    for (const target of different) expect([target, (await api.send('GET', target)).headers['age']]).toEqual([target, undefined]);
    for (const target of different) expect([target, (await api.send('HEAD', target)).headers['age']]).toEqual([target, '0']);
    expect(api.application.serving.answers.count).toBe(different.length);
  });

  it('share an answer if they ask for the same', async () => {
    const api = await Api.open({ records: smallWorld });
    await api.send('HEAD', `${COMMITS}?repository=acme/widget&from=2026-01-01`);
    for (const same of [
      `${COMMITS}?from=2026-01-01&repository=ACME%2Fwidget`,
      `${COMMITS}?&&from=2026-01-01T01:00:00%2B01:00&repository=acme/widget&limit=20&`,
    ]) {
      const { status, headers, body } = await api.send('GET', same);
      expect([same, status, headers['age'], body.length > 100]).toEqual([same, 200, '0', true]);
    }
  });

  it.each([
    '/repositories/acme/widget',
    '/repositories/acme%2Fwidget',
    '/api/v1/repositories/acme/widget',
    '/api/v1/repositories/acme%2Fwidget',
    '/api/v1/repositories/acme/widget/hub',
  ])('share the answer of %s in any letter case', async (path) => {
    const api = await Api.open({ records: smallWorld, site: DEFAULT_SITE });
    const first = await api.send('GET', path);
    const other = await api.send('GET', path.replace('acme', 'ACME'));
    expect([other.status, other.headers['age'], other.body]).toEqual([200, '0', first.body]);
  });

  it('may order types as they like, and go on with the cursor of an answer that was kept for another order', async () => {
    const api = await Api.open({ records: smallWorld });
    const first = (await api.send('GET', '/api/v1/search?q=widget&limit=1&type=release,commit,repository')).json as { meta: { nextCursor: string } };
    const again = await api.send('GET', '/api/v1/search?q=%20Widget&limit=1&type=repository,commit,release');
    const page = await api.send('GET', `/api/v1/search?q=widget&limit=1&type=commit,repository,release&cursor=${first.meta.nextCursor}`);
    expect([again.status, page.status]).toEqual([200, 200]);
  });
});

describe('a kept answer', () => {
  it('is not sent to other methods, and a refused request changes nothing', async () => {
    const api = await Api.open({ records: smallWorld });
    const first = await api.send('GET', COMMITS);
    for (const [method, status] of [
      ['POST', 405],
      ['DELETE', 405],
      ['QUERY', 405],
      ['OPTIONS', 204],
    ] as const)
      expect([method, (await api.send(method, COMMITS)).status]).toEqual([method, status]);
    expect((await api.send('GET', COMMITS, { 'Content-Length': '1' }).catch(() => ({ status: 400 }))).status).toBe(400);
    const again = await api.send('GET', COMMITS, {
      Range: 'bytes=0-3',
      'Cache-Control': 'no-cache, no-store, max-age=0',
      Pragma: 'no-cache',
      'X-Forwarded-Host': 'evil.example',
      'X-HTTP-Method-Override': 'DELETE',
      Host: 'evil.example',
      Accept: 'text/html',
    });
    expect([again.status, again.body, etagOf(again)]).toEqual([200, first.body, etagOf(first)]);
    expect(again.headers['age']).toBe('0');
  });

  it('has the same headers for HEAD as for GET, in every coding', async () => {
    const api = await Api.open({ records: smallWorld });
    for (const coding of ['identity', 'gzip', 'br', 'gzip;q=0.5, br;q=0.1', '*;q=0', 'br;q=0, *']) {
      const target = `/openapi.json`;
      for (const path of [target, '/api/v1/search?q=widget', COMMITS]) {
        const headers = { 'Accept-Encoding': coding };
        const head = await api.send('HEAD', path, headers);
        const get = await api.send('GET', path, headers);
        const { date: _a, 'x-request-id': _b, age: _c, ...ofHead } = head.headers;
        const { date: _d, 'x-request-id': _e, age: _f, ...ofGet } = get.headers;
        expect([coding, path, ofHead]).toEqual([coding, path, ofGet]);
        const none = await api.send('GET', path, { ...headers, 'If-None-Match': `"x", ${etagOf(get).slice(2)}` });
        expect([none.status, none.headers['content-encoding'], none.headers['content-length'], none.headers['vary']]).toEqual([
          304,
          undefined,
          undefined,
          'Accept-Encoding',
        ]);
      }
    }
  });

  it('is sent by the time of its end at the latest, also if the clock is set back', async () => {
    const api = await Api.open({ records: smallWorld });
    await api.send('GET', COMMITS);
    api.clock.set(NOW + 29_999);
    expect((await api.send('GET', COMMITS)).headers['age']).toBe('29');
    api.clock.set(NOW + 30_000);
    expect((await api.send('GET', COMMITS)).headers['age']).toBeUndefined();
    api.clock.set(NOW + 1_000);
    expect((await api.send('GET', COMMITS)).headers['age']).toBeUndefined();
  });
});

describe('an error', () => {
  it('never becomes a 304, and is never kept', async () => {
    const api = await Api.open({ records: smallWorld });
    for (const [target, status] of [
      ['/api/v1/news/none', 404],
      [`${COMMITS}?limit=0`, 400],
      [`${COMMITS}?x=1`, 400],
      ['/nothing', 404],
    ] as const)
      for (let turn = 0; turn < 2; turn++)
        expect([target, (await api.send('GET', target, { 'If-None-Match': '*' })).status]).toEqual([target, status]);
    expect(api.application.serving.answers.count).toBe(0);
  });
});

describe('the handler', () => {
  it('answers with an error if the function that provides the permission throws any error', async () => {
    const clock = new StandingClock(NOW);
    const store = await openMemoryStore({ clock });
    await store.writer.put(smallWorld, context);
    const list = Allowlist.of('acme/widget').approved();
    const state = { isBroken: false };
    const approved = (): ApprovedRepositories => {
      if (state.isBroken) throw new TypeError('the list is not there');
      return list;
    };
    const handler = createVitrineHandler({ store, approved, clock, publicUrl: 'https://acme.example' });
    const thrown: unknown[] = [];
    const server = http.createServer((request, response) => {
      try {
        handler(request, response);
      } catch (error) {
        thrown.push(error);
        response.end();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      expect((await fetch(origin + COMMITS)).status).toBe(200);
      state.isBroken = true;
      expect((await fetch(origin + COMMITS)).status).toBe(500);
      await store.writer.put([...smallWorld], context);
      state.isBroken = false;
      expect((await fetch(origin + COMMITS)).status).toBe(200);
    } finally {
      server.close();
      server.closeAllConnections();
    }
    expect(thrown).toEqual([]);
  });
});

describe('a write while the allowlist cannot be read', () => {
  it('is in the answers as soon as the same list is read again', async () => {
    const list = Allowlist.of('acme/widget').approved();
    const state: { error: Error | null } = { error: null };
    const approved = {
      current: () => {
        if (state.error !== null) throw state.error;
        return list;
      },
    };
    const api = await Api.open({ records: smallWorld, approved });
    for (const [index, error] of [new UnavailableError(), new TypeError('broken')].entries()) {
      await api.send('GET', COMMITS);
      state.error = error;
      await api.store.writer.put([aCommit({ sha: String(index).repeat(40), title: `Written ${String(index)}`, committedAt: NOW })], context);
      await api.store.writer.put([aCommit({ repositoryRef: 'acme/secret', sha: String(index).repeat(40) })], context);
      state.error = null;
      expect((await api.send('GET', COMMITS)).body).toContain(`Written ${String(index)}`);
    }
  });
});

describe('addresses in absolute form', () => {
  itInTorture('take no more memory than their paths', async () => {
    const api = await Api.open({ records: smallWorld });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (path: string): Promise<void> => {
      const [response] = (await once(http.get({ port: api.port, host: '127.0.0.1', agent, path }), 'response')) as [http.IncomingMessage];
      expect(response.statusCode).toBe(200);
      response.resume();
      await once(response, 'end');
    };
    for (let count = 0; count < 100; count++) await send(`/api/v1/news?limit=${'&'.repeat(count)}`.replace('limit=', 'limit=1'));
    const before = heapUsed();
    const long = 'a'.repeat(7_000);
    for (let count = 0; count < 250; count++) await send(`http://${long}/api/v1/news?limit=${String(1 + (count % 50))}${'&'.repeat(count)}`);
    const growth = heapUsed() - before;
    agent.destroy();
    expect(growth).toBeLessThan(1_000_000);
  });
});
