import { setTimeout as sleep } from 'node:timers/promises';
import { itInTorture, until } from '@vitrine/test-support';
import fc from 'fast-check';
import { drain } from '../src/serving/server.js';
import { Api } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { RawClient } from './support/raw-client.js';
import { smallWorld } from './support/small-world.js';

const HOST = 'Host: vitrine.example\r\n';
const get = (target: string, headers = HOST): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
/** A different address each time, so that each request reads the store. */
const news = (serial: number): string => get(`/api/v1/news?source=s${String(serial)}`);
const manyNews = (count: number): string => Array.from({ length: count }, (_, serial) => news(serial)).join('');

let faulty: FaultyStore;

async function open(options: Parameters<typeof Api.open>[0] = {}): Promise<Api> {
  faulty = new FaultyStore();
  return Api.open({ records: smallWorld, readers: faulty.over, ...options });
}

afterEach(() => Api.closeAll());

describe('requests that are sent before the responses to earlier ones', () => {
  it('are processed one at a time, and do not block other connections', async () => {
    const api = await open({ storeSlots: 6 });
    faulty.set({ delayMs: 5 }, 'news');
    const client = (await RawClient.connect(api.port)).send(manyNews(60));
    await until(() => client.statuses.length > 0);
    expect((await api.get('/api/v1/news?source=other')).status).toBe(200);
    expect(client.statuses.length).toBeLessThan(30);
    await until(() => client.statuses.length === 60);
    // The list and its sync records, and those of the other connection.
    expect(faulty.mostRunning).toBeLessThanOrEqual(4);
    expect(new Set(client.statuses)).toEqual(new Set([200]));
  });

  it('are answered in order, with any content and in any pieces', async () => {
    const api = await open();
    faulty.set({ delayMs: 1 }, 'news');
    const kinds = [
      { bytes: news(0), status: 200 },
      { bytes: get('/livez'), status: 200 },
      { bytes: `HEAD /api/v1/news HTTP/1.1\r\n${HOST}\r\n`, status: 200 },
      { bytes: `OPTIONS /api/v1/news HTTP/1.1\r\n${HOST}\r\n`, status: 204 },
      { bytes: `DELETE /api/v1/news HTTP/1.1\r\n${HOST}\r\n`, status: 405 },
      { bytes: get('/nothing'), status: 404 },
      { bytes: get('/api/v1/news?nope=1'), status: 400 },
      { bytes: 'GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', status: 200 },
    ];
    // Each of these messages ends the connection.
    const ends = [
      { bytes: '', status: null },
      { bytes: get('/livez', `${HOST}Expect: 100-continue\r\n`), status: 200 },
      { bytes: 'CONNECT evil.example:443 HTTP/1.1\r\n\r\ntunnelled', status: 405 },
      { bytes: 'hello\r\n\r\n', status: 400 },
      { bytes: '\u0016\u0003\u0001\u0000\u00c8\u0001', status: 400 },
      { bytes: get('/livez', `${HOST}Content-Length: 3\r\n`), status: 400 },
      { bytes: get('/livez', `${HOST}X-Big: ${'x'.repeat(9_000)}\r\n`), status: 431 },
      { bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
    ];
    const pipeline = fc.record({
      requests: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 60 }),
      end: fc.constantFrom(...ends),
      cuts: fc.array(fc.nat(4_000), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(pipeline, async ({ requests, end, cuts }) => {
        const client = await RawClient.connect(api.port);
        const bytes = requests.map((request) => request.bytes).join('') + end.bytes;
        for (const part of cutAt(bytes, cuts)) {
          client.send(part);
          await new Promise((resolve) => setImmediate(resolve));
        }
        const expected = [...requests.map(({ status }) => status), ...(end.status === null ? [] : [end.status])];
        await until(() => client.statuses.length >= expected.length || client.isClosed);
        expect(client.statuses).toEqual(expected);
        client.socket.destroy();
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 12 },
    );
  });

  itInTorture('are all answered, a thousand of them', async () => {
    const api = await open();
    const client = (await RawClient.connect(api.port)).send(manyNews(1_000));
    await until(() => client.statuses.length === 1_000);
    expect(new Set(client.statuses)).toEqual(new Set([200]));
    client.socket.destroy();
  });

  it.each([
    ['closes its side of', 10],
    ['resets', 10],
    ['resets', 200],
    ['closes', 10],
    ['closes', 200],
  ])('are not started after their client %s the connection, %d of them', async (how, count) => {
    const api = await open();
    const release = faulty.hold('news');
    const client = (await RawClient.connect(api.port)).send(manyNews(count));
    await until(() => faulty.calls('news') === 1);
    if (how === 'resets') client.socket.resetAndDestroy();
    else if (how === 'closes') client.socket.destroy();
    else client.socket.end();
    await until(() => client.isClosed);
    await sleep(50);
    release();
    await sleep(250);
    expect(faulty.calls('news')).toBe(1);
    expect((await api.get('/livez')).status).toBe(200);
  });

  it('end the connection with the most of them if too many wait in total', async () => {
    const api = await open({ limits: { maxWaiting: 50 } });
    faulty.set({ delayMs: 20 }, 'news');
    const [modest, greedy] = [await RawClient.connect(api.port), await RawClient.connect(api.port)];
    modest.send(manyNews(10));
    await until(() => faulty.calls('news') > 0);
    greedy.send(manyNews(60));
    await greedy.ended();
    expect(greedy.statuses.length).toBeLessThan(60);
    await until(() => modest.statuses.length === 10);
    expect(new Set(modest.statuses)).toEqual(new Set([200]));
    // Its requests are no longer counted.
    const next = (await RawClient.connect(api.port)).send(manyNews(45));
    await until(() => next.statuses.length === 45);
  });

  it('may arrive in pieces while earlier ones are answered', async () => {
    const api = await open();
    api.server.headersTimeout = 200;
    faulty.set({ delayMs: 60 }, 'news');
    const client = (await RawClient.connect(api.port)).send(manyNews(25) + news(25).slice(0, 30));
    await sleep(20);
    client.send(news(25).slice(30));
    await until(() => client.statuses.length === 26);
    expect(new Set(client.statuses)).toEqual(new Set([200]));
  });

  it('are rejected with 408, after the responses to earlier ones, if they do not arrive in time', async () => {
    const api = await open();
    api.server.headersTimeout = 200;
    faulty.set({ delayMs: 60 }, 'news');
    const client = (await RawClient.connect(api.port)).send(manyNews(25) + news(25).slice(0, 30));
    await client.ended();
    expect(client.statuses).toEqual([...Array.from({ length: 25 }, () => 200), 408]);
  });

  it('are dropped when the server stops, after the response in progress', async () => {
    const api = await open();
    faulty.set({ delayMs: 50 }, 'news');
    const clients = await Promise.all([10, 200].map(async (count) => (await RawClient.connect(api.port)).send(manyNews(count))));
    await until(() => faulty.calls('news') >= 2);
    api.application.stop();
    const drained = drain(api.server, { graceMs: 50, deadlineMs: 60_000 });
    for (const client of clients) {
      await client.ended();
      client.socket.destroy();
      expect(client.text).toMatch(/Connection: close\r\n[^{]*\r\n\{[^\r]*$/);
      expect(client.statuses.every((status) => status === 200)).toBe(true);
    }
    await drained;
    expect(faulty.calls('news')).toBeLessThan(10);
  });
});

function cutAt(bytes: string, cuts: readonly number[]): readonly string[] {
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.slice(places[index], place));
}
