import { DEFAULT_LIMITS } from '@vitrine/config/limits';
import type { RateLimits, TrustProxy } from '../src/serving/client-address.js';
import { Api, type Answer } from './support/api.js';
import { answersOf, exchangeRaw } from './support/raw-socket.js';
import { smallWorld } from './support/small-world.js';

const LIMITED: RateLimits = { ...DEFAULT_LIMITS, loopback: true };
const FEW: RateLimits = { requestsPerMinute: 3, searchesPerMinute: 2, loopback: true };
const POLICY = '"requests";q=3;w=60, "searches";q=2;w=60';
const COMMITS = '/api/v1/development/commits';
const SEARCH = '/api/v1/search?q=widget';

afterEach(() => Api.closeAll());

function opened(rateLimits: RateLimits | null = FEW, trustProxy: TrustProxy | null = null): Promise<Api> {
  return Api.open({ records: smallWorld, rateLimits, trustProxy, cacheAnswers: false });
}

const leftOf = ({ headers }: Answer): unknown => headers['ratelimit'];
const forwardedFor = (value: string) => ({ 'X-Forwarded-For': value });

/** What is left for a client, as the proxy on this machine names it. */
async function leftFor(api: Api, value: string): Promise<unknown> {
  return leftOf(await api.get(COMMITS, forwardedFor(value)));
}

async function statuses(times: number, send: () => Promise<Answer>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let count = 0; count < times; count++) found.push((await send()).status);
  return found;
}

describe('a client that sends too many requests', () => {
  it('is refused from its 301st request in a minute on, until the minute ends', async () => {
    const api = await opened(LIMITED);
    expect(new Set(await statuses(299, () => api.get('/problems/not-found')))).toEqual(new Set([200]));
    api.evenClock.set(59_001);
    expect(leftOf(await api.get(COMMITS))).toBe('"requests";r=0;t=1');
    const refused = await api.get(COMMITS);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
      ratelimit: '"requests";r=0;t=1',
      'ratelimit-policy': '"requests";q=300;w=60, "searches";q=60;w=60',
    });
    expect(refused.json).toMatchObject({
      type: '/problems/rate-limited',
      code: 'RATE_LIMITED',
      detail: 'A client may send 300 requests a minute. Try again in 1 s.',
      data: null,
    });
    api.evenClock.set(60_000);
    expect((await api.get(COMMITS)).headers).toMatchObject({ ratelimit: '"requests";r=299;t=60' });
  });

  it('is refused from its 61st search on, and may still send other requests', async () => {
    const api = await opened(LIMITED);
    expect(new Set(await statuses(60, () => api.get(SEARCH)))).toEqual(new Set([200]));
    const refused = await api.get(SEARCH);
    expect(refused.status).toBe(429);
    expect(leftOf(refused)).toBe('"requests";r=239;t=60, "searches";r=0;t=60');
    expect(refused.json).toMatchObject({ detail: 'A client may send 60 searches a minute. Try again in 60 s.' });
    expect(leftOf(await api.get(COMMITS))).toBe('"requests";r=238;t=60');
  });

  it('finds a text about the refusal, once it may send requests again', async () => {
    const api = await opened();
    expect((await api.get('/problems/rate-limited')).body).toMatch(/^RATE_LIMITED \(429\)\n/);
  });
});

describe('what counts', () => {
  it.each([
    ['HEAD', COMMITS, 200],
    ['GET', '/', 200],
    ['GET', '/openapi.json', 200],
    ['GET', `${COMMITS}/`, 308],
    ['GET', `${COMMITS}?limit=0`, 400],
    ['GET', '/api/v1/repositories/acme/unknown', 404],
    ['GET', '/nowhere', 404],
    ['GET', '/%zz', 400],
    ['POST', COMMITS, 405],
    ['POST', '/nowhere', 404],
  ])('%s %s', async (method, target, status) => {
    const api = await opened();
    const answer = await api.send(method, target);
    expect([answer.status, leftOf(answer), answer.headers['ratelimit-policy']]).toEqual([status, '"requests";r=2;t=60', POLICY]);
    expect(await statuses(3, () => api.send(method, target))).toEqual([status, status, 429]);
  });

  it('an address that is too long', async () => {
    const api = await opened();
    expect(await statuses(4, () => api.send('GET', `/${'a'.repeat(2_048)}`))).toEqual([414, 414, 414, 429]);
  });

  it('each request once, also if it is a search with a mistake', async () => {
    const api = await opened();
    const answer = await api.get('/api/v1/search?nonsense=1');
    expect([answer.status, leftOf(answer)]).toEqual([400, '"requests";r=2;t=60, "searches";r=1;t=60']);
  });

  it('every request of a pipeline, and a refused one that must end its connection still ends it', async () => {
    const api = await opened();
    const get = `GET ${COMMITS} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const { text, isClosed } = await exchangeRaw(
      api.port,
      `${get.repeat(4)}GET ${COMMITS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    expect(answersOf(text, COMMITS).map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(isClosed).toBe(true);
  });
});

describe('what is free', () => {
  it.each([
    ['OPTIONS', COMMITS, 204],
    ['OPTIONS', '/nowhere', 404],
    ['GET', '/livez', 200],
    ['HEAD', '/livez', 200],
    ['GET', '/readyz', 200],
    ['GET', '/readyz?verbose=1', 400],
    ['POST', '/livez', 405],
  ])('%s %s, also for a client that is refused', async (method, target, status) => {
    const api = await opened();
    expect(await statuses(5, () => api.send(method, target))).toEqual(Array.from({ length: 5 }, () => status));
    expect(await statuses(4, () => api.get(COMMITS))).toEqual([200, 200, 200, 429]);
    const answer = await api.send(method, target);
    expect([answer.status, leftOf(answer), answer.headers['ratelimit-policy']]).toEqual([status, undefined, undefined]);
  });

  it('every request from this machine, by default', async () => {
    const api = await opened({ ...FEW, loopback: false });
    expect(await statuses(5, () => api.get(COMMITS))).toEqual([200, 200, 200, 200, 200]);
    expect(leftOf(await api.get(COMMITS))).toBeUndefined();
  });

  it('every request if the limits are off', async () => {
    const api = await opened(null);
    expect(await statuses(5, () => api.get(COMMITS, forwardedFor('203.0.113.5')))).toEqual([200, 200, 200, 200, 200]);
    expect(api.logLines.join('')).not.toContain('trustProxy');
  });
});

describe('who is counted', () => {
  it('is the sender of the connection if no proxy is trusted, whatever the headers say', async () => {
    const api = await opened();
    const names = ['203.0.113.5', '198.51.100.7, 10.0.0.1', '::1', 'unknown', ''];
    for (const [count, name] of names.entries()) {
      const { status } = await api.get(COMMITS, { ...forwardedFor(name), Forwarded: `for="${name}"`, 'X-Real-IP': name, Via: '1.1 proxy' });
      expect(status).toBe(count < 3 ? 200 : 429);
    }
  });

  it('is the client of the only proxy, which it names last', async () => {
    const api = await opened({ ...FEW, loopback: false }, 1);
    expect(await leftFor(api, '203.0.113.5')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '198.51.100.7, 203.0.113.5')).toBe('"requests";r=1;t=60');
    expect(await leftFor(api, '127.0.0.1, 203.0.113.5')).toBe('"requests";r=0;t=60');
    expect((await api.get(COMMITS, forwardedFor('203.0.113.6, 203.0.113.5'))).status).toBe(429);
    expect(await leftFor(api, '203.0.113.6')).toBe('"requests";r=2;t=60');
    expect(api.logLines.join('')).not.toContain('trustProxy');
  });

  it('is the one that the last of several headers names', async () => {
    const api = await opened(FEW, 1);
    const lines = ['203.0.113.6', '203.0.113.5'].map((name) => `X-Forwarded-For: ${name}\r\n`).join('');
    const { text } = await exchangeRaw(api.port, `GET ${COMMITS} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    expect(answersOf(text, COMMITS)[0]?.headers['ratelimit']).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '203.0.113.5')).toBe('"requests";r=1;t=60');
    expect(await leftFor(api, '203.0.113.6')).toBe('"requests";r=2;t=60');
  });

  it('is the client of the first of several proxies, given by their networks', async () => {
    const api = await opened({ ...FEW, loopback: false }, ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    expect(await leftFor(api, '203.0.113.5, 10.1.1.1')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '192.0.2.1, 203.0.113.5, 2001:db8::5, 10.2.2.2')).toBe('"requests";r=1;t=60');
    expect(await leftFor(api, '10.3.3.3, 203.0.113.5')).toBe('"requests";r=0;t=60');
  });

  it('is the last proxy before an entry that is not an address', async () => {
    const api = await opened(FEW, 3);
    expect(await leftFor(api, '203.0.113.5, unknown')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '')).toBe('"requests";r=1;t=60');
    expect(leftOf(await api.get(COMMITS))).toBe('"requests";r=0;t=60');
  });

  it('is a /64 network of IPv6, and an IPv4 address in any of its forms', async () => {
    const api = await opened(FEW, 1);
    expect(await leftFor(api, '2001:db8:1:2:3::1')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '2001:DB8:1:2:ffff:ffff:ffff:ffff')).toBe('"requests";r=1;t=60');
    expect(await leftFor(api, '[2001:db8:1:2::9]:443')).toBe('"requests";r=0;t=60');
    expect(await leftFor(api, '2001:db8:1:3::1')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '203.0.113.5')).toBe('"requests";r=2;t=60');
    expect(await leftFor(api, '::ffff:203.0.113.5')).toBe('"requests";r=1;t=60');
    expect(await leftFor(api, '203.0.113.5:4711')).toBe('"requests";r=0;t=60');
  });
});

describe('the address of a client', () => {
  const CLIENT = '203.0.113.77';

  it('is in no response and in no line of the log', async () => {
    const api = await opened(FEW, 1);
    for (let count = 0; count < 5; count++) {
      const { headers, body } = await api.get(count === 2 ? '/nowhere' : SEARCH, forwardedFor(CLIENT));
      expect(JSON.stringify([headers, body])).not.toContain(CLIENT);
    }
    expect(api.logLines.length).toBeGreaterThan(0);
    expect(api.logLines.join('')).not.toContain(CLIENT);
  });

  it('causes one hint at server.trustProxy if a proxy on this machine names it, and the hint does not show it', async () => {
    const api = await opened({ ...FEW, loopback: false });
    await statuses(3, () => api.get(COMMITS, forwardedFor(CLIENT)));
    const hints = api.logLines.filter((line) => line.includes('server.trustProxy'));
    expect(hints).toHaveLength(1);
    expect(hints[0]).toContain('"level":40');
    expect(api.logLines.join('')).not.toContain(CLIENT);
  });
});

it('lets the pages of other sites read both headers', async () => {
  const api = await opened();
  expect((await api.get(COMMITS)).headers['access-control-expose-headers']).toBe(
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  );
});

it('answers from the response cache count nothing, however they are spelt', async () => {
  const api = await Api.open({ records: smallWorld, rateLimits: { ...DEFAULT_LIMITS, requestsPerMinute: 2, loopback: true } });
  const tag = String((await api.get(`${COMMITS}?limit=20`)).headers['etag']);
  for (const same of [`${COMMITS}?limit=20`, COMMITS]) {
    expect(leftOf(await api.get(same))).toBeUndefined();
    expect((await api.send('HEAD', same)).status).toBe(200);
    expect((await api.get(same, { 'If-None-Match': tag })).status).toBe(304);
  }
  expect(leftOf(await api.get('/api/v1/news'))).toBe('"requests";r=0;t=60');
  expect([(await api.get('/api/v1/videos')).status, (await api.get(COMMITS)).status]).toEqual([429, 200]);
});
