import { isTorture } from '@vitrine/test-support';
import { Api } from './support/api.js';
import { contractViolations, type Received } from './support/contract.js';
import { answersOf, exchangeRaw } from './support/raw-socket.js';
import { smallWorld } from './support/small-world.js';

const HOST = 'Host: vitrine.example\r\n';
const get = (target: string, headers = HOST): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;

describe('on the wire', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: smallWorld });
  });

  afterAll(() => api.close());

  async function ask(bytes: string | readonly string[], target = '/'): Promise<Received & { readonly isClosed: boolean }> {
    const { text, isClosed } = await exchangeRaw(api.port, bytes);
    const [answer, ...others] = answersOf(text, target);
    if (answer === undefined || others.length > 0) throw new Error(`${String(others.length + (answer === undefined ? 0 : 1))} answers: ${text}`);
    expect(contractViolations(answer)).toEqual([]);
    return { ...answer, isClosed };
  }

  const codeOf = ({ body }: Received): unknown => (JSON.parse(body) as { code: unknown }).code;

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('refuses %s on a known route with 405', async (method) => {
    const answer = await ask(`${method} /api/v1/overview HTTP/1.1\r\n${HOST}\r\n`, '/api/v1/overview');
    expect([answer.status, codeOf(answer), answer.headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, OPTIONS']);
  });

  it('rejects a POST with a body because of its method, and ends the connection', async () => {
    const answer = await ask(`POST /api/v1/overview HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`, '/api/v1/overview');
    expect([answer.status, answer.headers['allow'], answer.headers['connection'], answer.isClosed]).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      'close',
      true,
    ]);
  });

  it('rejects CONNECT', async () => {
    const answer = await ask(`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`);
    expect([answer.status, answer.isClosed]).toEqual([405, true]);
  });

  it.each([
    ['an unknown method', `BREW /api/v1/overview HTTP/1.1\r\n${HOST}\r\n`],
    ['no host', 'GET /api/v1/overview HTTP/1.1\r\n\r\n'],
    ['two hosts', get('/api/v1/overview', `${HOST}host: evil.example\r\n`)],
    ['both lengths and chunks', `GET / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `GET / HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 1\r\n\r\nx`],
    ['a bare line feed', `GET / HTTP/1.1\nHost: vitrine.example\n\n`],
    ['a folded header', get('/', `${HOST}X-Long: a\r\n b\r\n`)],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('rejects %s with 400 and ends the connection', async (_what, bytes) => {
    const answer = await ask(bytes);
    expect([answer.status, codeOf(answer), answer.isClosed]).toEqual([400, 'BAD_REQUEST', true]);
  });

  it.each([
    ['a body', `GET /api/v1/overview HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`],
    ['a chunked body', `GET /api/v1/overview HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a transfer coding that Node takes for none', `GET /api/v1/overview HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n`],
  ])('rejects %s with 400 and ends the connection', async (_what, bytes) => {
    const { text, isClosed } = await exchangeRaw(api.port, bytes);
    const [answer] = answersOf(text, '/');
    expect([answer?.status, isClosed]).toEqual([400, true]);
    expect(['BODY_NOT_ALLOWED', 'BAD_REQUEST']).toContain(codeOf(answer ?? { method: '', target: '', status: 0, headers: {}, body: 'null' }));
  });

  it('ignores the host of an absolute target, and never repeats it', async () => {
    const answer = await ask(get('http://evil.example/api/v1/news'), '/api/v1/news');
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer)).not.toContain('evil');
    const next = await ask(
      get('http://evil.example/api/v1/status/services/acme%3Awidget-api/history?limit=1'),
      '/api/v1/status/services/acme%3Awidget-api/history',
    );
    expect(String(next.headers['link'])).toMatch(/^<\/api\/v1\/status\/services\/acme%3Awidget-api\/history\?limit=1&cursor=/);
  });

  it.each([
    ['headers', get('/api/v1/overview', `${HOST}X-Big: ${'a'.repeat(9_000)}\r\n`)],
    // Node counts the address among the headers. Up to 8 KiB, a long one is 414.
    ['an address', get(`/${'a'.repeat(9_000)}`)],
  ])('rejects %s over 8 KiB with 431, and says what is counted', async (_what, bytes) => {
    const answer = await ask(bytes);
    expect([answer.status, codeOf(answer), answer.body]).toEqual([431, 'HEADERS_TOO_LARGE', expect.stringMatching(/address and the headers/)]);
  });

  it.each([
    ['a header __proto__', '__proto__: x\r\nconstructor: y\r\n'],
    ['Range', 'Range: bytes=0-1\r\n'],
    ['Expect: 100-continue', 'Expect: 100-continue\r\n'],
    ['another expectation', 'Expect: the-unexpected\r\n'],
    ['Upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    [
      'forwarding and overriding',
      'X-Forwarded-Host: evil.example\r\nX-Original-URL: /livez\r\nX-Rewrite-URL: /livez\r\nX-HTTP-Method-Override: DELETE\r\n',
    ],
    ['credentials', 'Authorization: Bearer x\r\nCookie: a=b\r\n'],
  ])('ignores %s', async (_what, headers) => {
    const plain = await ask(get('/api/v1/news'), '/api/v1/news');
    const answer = await ask(get('/api/v1/news', HOST + headers), '/api/v1/news');
    expect([answer.status, answer.body]).toEqual([200, plain.body]);
    expect(JSON.stringify(answer.headers)).not.toContain('evil');
  });

  it('answers many pipelined requests in order', async () => {
    const count = isTorture ? 1_000 : 200;
    const requests = Array.from({ length: count }, (_, index) =>
      get(
        `/api/v1/news?limit=${String((index % 100) + 1)}${index % 3 === 0 ? '&nope=1' : ''}`,
        index === count - 1 ? `${HOST}Connection: close\r\n` : HOST,
      ),
    );
    const { text } = await exchangeRaw(api.port, requests.join(''), 60_000);
    const statuses = answersOf(text, '/api/v1/news').map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: count }, (_, index) => (index % 3 === 0 ? 400 : 200)));
  });

  it('redirects a trailing slash only for known routes', async () => {
    const redirect = await ask(get('/api/v1/news/?limit=1'), '/api/v1/news/');
    expect([redirect.status, redirect.headers['location']]).toEqual([308, '/api/v1/news?limit=1']);
    for (const target of ['//', '//evil.example/', '/evil.example//', '/api/v1/nothing/', '/api/v1//news/', '/api/v1/news//', '/\\evil.example/']) {
      const answer = await ask(get(target), '/nothing');
      expect([target, answer.status, answer.headers['location'], codeOf(answer)]).toEqual([target, 404, undefined, 'ROUTE_NOT_FOUND']);
    }
  });

  it('rejects raw bytes, fragments and broken encoding in the path with 400', async () => {
    for (const target of ['/api/v1/news?source=\u00e4', '/api/v1/news#top', '/api/v1/%ZZ', '/api/v1/news/%C0%AE']) {
      const answer = await ask(get(target), '/nothing');
      expect([target, answer.status, codeOf(answer)]).toEqual([target, 400, 'BAD_REQUEST']);
    }
  });

  it('gives HEAD the headers of GET and no body', async () => {
    const whole = await ask(get('/api/v1/news'), '/api/v1/news');
    const { text } = await exchangeRaw(api.port, `HEAD /api/v1/news HTTP/1.1\r\n${HOST}\r\n`);
    const [head] = answersOf(text, '/api/v1/news', 'HEAD');
    const comparable = ({ headers }: Received) => ({ ...headers, date: '', 'x-request-id': '' });
    expect(head?.status).toBe(200);
    expect(comparable(head ?? whole)).toEqual(comparable(whole));
  });

  it('answers a preflight on known routes', async () => {
    const answer = await api.send('OPTIONS', '/api/v1/news', { Origin: 'https://page.example', 'Access-Control-Request-Method': 'GET' });
    expect([answer.status, answer.headers['access-control-allow-methods'], answer.headers['access-control-max-age']]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '86400',
    ]);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect((await api.send('OPTIONS', '/nothing')).status).toBe(404);
  });

  it('gives every request its own id', async () => {
    const [first, second] = [await api.send('GET', '/livez', { 'X-Request-Id': 'mine' }), await api.send('GET', '/livez')];
    expect(first.headers['x-request-id']).not.toBe('mine');
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
    const problem = await api.get('/nothing');
    expect(problem.json).toMatchObject({ instance: `urn:uuid:${String(problem.headers['x-request-id'])}` });
  });
});

afterAll(() => Api.closeAll());

it('ends a connection with 408 if its headers do not arrive', async () => {
  const api = await Api.open();
  api.server.headersTimeout = 100;
  const { text, isClosed } = await exchangeRaw(api.port, 'GET / HTTP/1.1\r\nHost: vit', 2_500);
  const [answer] = answersOf(text, '/');
  expect([answer?.status, isClosed]).toEqual([408, true]);
});
