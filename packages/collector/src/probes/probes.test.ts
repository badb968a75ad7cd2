import { createSocket } from 'node:dgram';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { ExpectConfig, HttpServiceConfig } from '@vitrine/config';
import { DAY } from '@vitrine/core';
import { OutgoingClient } from '../fetching/outgoing-client.js';
import { systemResolve } from '../fetching/guarded-lookup.js';
import { createCanary, createProbe, type ProbeOptions, dnsProbe, tcpProbe } from './create-probe.js';
import { httpProbe } from './http-probe.js';
import { LocalServers } from '../../test/local-servers.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const { signal } = new AbortController();

const servers = new LocalServers();
const listening = (server: Server) => servers.listening(server);
const serving = (answer: RequestListener) => servers.serving(answer);

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const ANYTHING: ExpectConfig = { status: null, text: null, json: null };

function aService(target: string, more: Partial<HttpServiceConfig> = {}): HttpServiceConfig {
  return {
    key: 'acme:web',
    name: 'Web',
    group: null,
    order: null,
    check: 'http',
    target,
    url: null,
    intervalMs: 30_000,
    timeoutMs: 20_000,
    slowAfterMs: null,
    confirmAfter: 0,
    allowPrivate: true,
    dependency: false,
    method: 'GET',
    headers: [],
    expect: ANYTHING,
    redirects: 5,
    certificateMs: 14 * DAY,
    ...more,
  };
}

const options = (more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  client: new OutgoingClient(),
  environment: {},
  clock: { now: () => NOW },
  resolve: systemResolve,
  ...more,
});

const probe = (target: string, more: Partial<HttpServiceConfig> = {}, with_: Partial<ProbeOptions> = {}) =>
  createProbe(aService(target, more), options(with_))(signal);

describe('httpProbe', () => {
  it('finds a service that answers as expected operational, with its time', async () => {
    const url = await serving((_, response) => response.writeHead(204).end());
    const outcome = await probe(`${url}/health?deep=1`);
    expect(outcome).toMatchObject({ state: 'operational', rawState: 'http 204' });
    expect(Number.isInteger(outcome.responseTimeMs)).toBe(true);
    expect(servers.seen[0]).toMatchObject({ method: 'GET', url: '/health?deep=1' });
  });

  it.each([
    [503, ANYTHING, 'http 503'],
    [404, ANYTHING, 'http 404'],
    [304, ANYTHING, 'http 304'],
    [200, { ...ANYTHING, status: [204] }, 'http 200'],
  ])('stores the status %s as an outage when %j is expected', async (status, expect_, rawState) => {
    const url = await serving((_, response) => response.writeHead(status).end());
    expect(await probe(url, { expect: expect_ })).toEqual({ state: 'outage', rawState, responseTimeMs: null });
  });

  it.each([
    ['all is ok', { text: 'ok' }, 'operational'],
    ['all is lost', { text: 'ok' }, 'outage'],
    ['{"checks":[{"state":"up"}]}', { json: { path: 'checks.0.state', equals: 'up' } }, 'operational'],
    ['{"checks":[{"state":"down"}]}', { json: { path: 'checks.0.state', equals: 'up' } }, 'outage'],
    ['{"ok":true}', { json: { path: 'ok', equals: true } }, 'operational'],
    ['{"ok":true}', { json: { path: 'ok', equals: 'true' } }, 'operational'],
    ['{"ok":200}', { json: { path: 'ok', equals: '200' } }, 'operational'],
    ['{"ok":"1.0"}', { json: { path: 'ok', equals: '1.0' } }, 'operational'],
    ['{"ok":"200"}', { json: { path: 'ok', equals: 200 } }, 'outage'],
    ['{"ok":null}', { json: { path: 'ok', equals: 'null' } }, 'outage'],
    ['{"ok":[1]}', { json: { path: 'ok', equals: '1' } }, 'outage'],
    ['{}', { json: { path: 'ok', equals: 'undefined' } }, 'outage'],
    ['{"ok":null}', { json: { path: 'ok', equals: null } }, 'operational'],
    ['{}', { json: { path: 'ok', equals: null } }, 'outage'],
    ['{}', { json: { path: '__proto__', equals: null } }, 'outage'],
    ['not json', { json: { path: 'ok', equals: true } }, 'outage'],
  ])('judges the body %s by %j as %s', async (body, sought, state) => {
    const url = await serving((_, response) => response.end(body));
    const outcome = await probe(url, { expect: { ...ANYTHING, ...sought } });
    expect(outcome).toMatchObject({ state, rawState: state === 'outage' ? 'text' : 'http 200' });
  });

  const latin = (text: string) => Buffer.from(text, 'latin1');
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  it.each<readonly [string, Buffer, string]>([
    ['UTF-8', Buffer.from('Verfügbar'), 'text/plain'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffVerfügbar'), 'text/plain'],
    ['the encoding that is declared', latin('Verfügbar'), 'text/plain; charset=iso-8859-1'],
    ['UTF-16 that is declared', utf16('Verfügbar'), 'text/plain; charset="UTF-16LE"'],
    ['UTF-16 of the other order', utf16('Verfügbar').swap16(), 'text/plain; charset=utf-16be'],
    ['UTF-16 with a byte order mark', utf16('\ufeffVerfügbar'), 'text/plain'],
    ['Latin-1 that declares nothing', latin('Verfügbar'), 'text/plain'],
    ['the encoding of an XML declaration', latin('<?xml version="1.0" encoding="iso-8859-1"?><a>Verfügbar</a>'), 'text/xml'],
    ['UTF-8 that declares another encoding', Buffer.from('Verfügbar'), 'text/plain; charset=iso-8859-1'],
    ['UTF-8 that declares an unknown encoding', Buffer.from('Verfügbar'), 'text/plain; charset=klingon'],
  ])('finds a text in %s', async (_, body, type) => {
    const url = await serving((__, response) => response.setHeader('content-type', type).end(body));
    const sought = (text: string) => probe(url, { expect: { ...ANYTHING, text } });
    expect(await sought('Verfügbar')).toMatchObject({ state: 'operational' });
    expect(await sought('Gestört')).toMatchObject({ state: 'outage', rawState: 'text' });
  });

  it.each<readonly [string, Buffer, string]>([
    ['with a byte order mark', Buffer.from('\ufeff{"state":"verfügbar"}'), 'application/json'],
    ['whatever encoding is declared', Buffer.from('{"state":"verfügbar"}'), 'application/json; charset=iso-8859-1'],
    ['with an unknown encoding', Buffer.from('{"state":"verfügbar"}'), 'application/json; charset=klingon'],
    ['with broken letters elsewhere', Buffer.concat([latin('{"place":"Zürich",'), Buffer.from('"state":"verfügbar"}')]), 'application/json'],
  ])('reads JSON as UTF-8, %s', async (_, body, type) => {
    const url = await serving((__, response) => response.setHeader('content-type', type).end(body));
    const sought = (equals: string) => probe(url, { expect: { ...ANYTHING, json: { path: 'state', equals } } });
    expect(await sought('verfügbar')).toMatchObject({ state: 'operational' });
    expect(await sought('gestört')).toMatchObject({ state: 'outage', rawState: 'text' });
  });

  it('sends the method and the headers, those of the environment only to the first origin', async () => {
    const other = await serving((_, response) => response.end());
    const url = await serving((_, response) => response.writeHead(302, { location: other }).end());
    const headers = [
      { name: 'accept', value: 'text/plain' },
      { name: 'authorization', value: { variable: 'WEB_TOKEN' } },
    ];
    expect(await probe(url, { method: 'HEAD', headers }, { environment: { WEB_TOKEN: 'Bearer x' } })).toMatchObject({ state: 'operational' });
    expect(servers.seen.map(({ method, headers: { accept, authorization } }) => [method, accept, authorization])).toEqual([
      ['HEAD', 'text/plain', 'Bearer x'],
      ['HEAD', 'text/plain', undefined],
    ]);
  });

  it('does not run without a variable that it needs, and says which', async () => {
    const headers = [{ name: 'authorization', value: { variable: 'WEB_TOKEN' } }];
    await expect(probe('http://127.0.0.1:1/', { headers })).rejects.toMatchObject({
      message: 'acme:web needs the environment variable WEB_TOKEN, which is not set',
      code: 'NO_VARIABLE',
    });
  });

  it('takes a redirect as the response when none may be followed', async () => {
    const url = await serving((_, response) => response.writeHead(301, { location: 'https://acme.example/' }).end());
    expect(await probe(url, { redirects: 0, expect: { ...ANYTHING, status: [301] } })).toMatchObject({ state: 'operational', rawState: 'http 301' });
    expect(await probe(url, { redirects: 0 })).toMatchObject({ state: 'outage', rawState: 'http 301' });
  });

  it('finds a slow service degraded', async () => {
    const url = await serving((_, response) => setTimeout(() => response.end(), 30));
    expect(await probe(url, { slowAfterMs: 5 })).toMatchObject({ state: 'degraded', rawState: 'slow' });
  });

  it.each([
    [13, 'degraded', 'tls'],
    [15, 'operational', 'http 200'],
  ])('judges a certificate with %s days left as %s', async (days, state, rawState) => {
    const answer = { status: 200, headers: {}, url: 'https://acme.example/', body: Buffer.from(''), certificateExpiresAt: NOW + days * DAY };
    const client = { request: () => Promise.resolve(answer) } as unknown as OutgoingClient;
    expect(await httpProbe(aService('https://acme.example/'), options({ client }))(signal)).toMatchObject({ state, rawState });
  });

  it('names what is wrong by a closed set of words', async () => {
    const hanging = await serving(() => undefined);
    expect(await probe(hanging, { timeoutMs: 50 })).toMatchObject({ state: 'outage', rawState: 'timeout' });
    expect(await probe(`http://127.0.0.1:${String(await closedPort())}/`)).toMatchObject({ state: 'outage', rawState: 'refused' });
    const resets = createTcpServer((socket) => socket.resetAndDestroy());
    expect(await probe(`http://127.0.0.1:${String(await listening(resets))}/`)).toMatchObject({ state: 'outage', rawState: 'refused' });
    const plain = await serving((_, response) => response.end());
    expect(await probe(plain.replace('http:', 'https:'))).toMatchObject({ state: 'outage', rawState: 'tls' });
    const loop = await serving((_, response) => response.writeHead(302, { location: '/' }).end());
    expect(await probe(loop)).toMatchObject({ state: 'outage', rawState: 'text' });
    const bad = await serving((_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip'));
    expect(await probe(bad)).toMatchObject({ state: 'outage', rawState: 'text' });
    const client = new OutgoingClient({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    expect(await probe('http://acme.example/', {}, { client })).toMatchObject({ state: 'outage', rawState: 'dns' });
  });

  it('says nothing about a service that it may not reach', async () => {
    await expect(probe('http://127.0.0.1:1/secret', { allowPrivate: false })).rejects.toMatchObject({
      message: 'acme:web is in a private network. If you trust its address, add allowPrivate: true',
      code: 'PRIVATE_ADDRESS',
    });
    const client = new OutgoingClient({ resolve: () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]) });
    await expect(probe('http://rebinding.example/', { allowPrivate: false }, { client })).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
  });
});

describe('tcpProbe', () => {
  const target = (port: number, more = {}) => ({
    key: 'acme:db',
    target: { host: '127.0.0.1', port },
    timeoutMs: 20_000,
    slowAfterMs: null,
    allowPrivate: true,
    ...more,
  });

  it('finds a port that accepts connections operational, and closes the connection', async () => {
    let closed: () => void;
    const ended = new Promise<void>((resolve) => (closed = resolve));
    const port = await listening(createTcpServer((socket) => socket.resume().on('close', () => closed())));
    expect(await tcpProbe(target(port), systemResolve)(signal)).toMatchObject({ state: 'operational', rawState: 'ok' });
    await ended;
  });

  it('names what is wrong', async () => {
    expect(await tcpProbe(target(await closedPort()), systemResolve)(signal)).toEqual({ state: 'outage', rawState: 'refused', responseTimeMs: null });
    const name = { target: { host: 'db.acme.example', port: 5432 } };
    const unknown = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await tcpProbe(target(0, name), unknown)(signal)).toMatchObject({ state: 'outage', rawState: 'dns' });
    expect(await tcpProbe(target(0, { ...name, timeoutMs: 30 }), () => new Promise(() => undefined))(signal)).toMatchObject({ rawState: 'timeout' });
  });

  it('connects to no private address unless that is allowed', async () => {
    const refused = { code: 'PRIVATE_ADDRESS' };
    await expect(tcpProbe(target(1, { allowPrivate: false }), systemResolve)(signal)).rejects.toMatchObject(refused);
    const named = target(1, { allowPrivate: false, target: { host: 'db.acme.example', port: 1 } });
    await expect(tcpProbe(named, () => Promise.resolve([{ address: '::1', family: 6 }]))(signal)).rejects.toMatchObject(refused);
  });

  it('ends with the reason of the signal', async () => {
    const stop = new AbortController();
    const running = tcpProbe(target(0, { target: { host: 'db.acme.example', port: 1 } }), () => new Promise(() => undefined))(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});

describe('dnsProbe', () => {
  const ADDRESS = [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34];
  /** The name is an alias of `a`, of which nothing is known. */
  const ALIAS = [0xc0, 0x0c, 0, 5, 0, 1, 0, 0, 0, 60, 0, 3, 1, 0x61, 0];

  /** A name server whose every answer has this code. If it is 0, an answer about IPv4 has this record. */
  async function nameServer(code: number, record = ADDRESS): Promise<string> {
    const socket = createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      const question = query.subarray(12, query.indexOf(0, 12) + 5);
      const hasAddress = code === 0 && question.at(-3) === 1;
      const head = Buffer.from(query.subarray(0, 12));
      head.writeUInt16BE(0x8180 + code, 2);
      [1, hasAddress ? 1 : 0, 0, 0].forEach((count, index) => head.writeUInt16BE(count, 4 + 2 * index));
      if (code >= 0) socket.send(Buffer.concat([head, question, Buffer.from(hasAddress ? record : [])]), port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    servers.endWith(() => new Promise<void>((resolve) => socket.close(() => resolve())));
    return `127.0.0.1:${String(socket.address().port)}`;
  }

  const resolved = async (code: number, timeoutMs = 20_000, record = ADDRESS) =>
    dnsProbe({ target: 'acme.example', timeoutMs, slowAfterMs: null }, [await nameServer(code, record)])(signal);

  it('finds a name operational that has an address, also if only an IPv4 one', async () => {
    expect(await resolved(0)).toMatchObject({ state: 'operational', rawState: 'ok' });
  });

  it.each([
    [3, 'dns'],
    [2, 'dns'],
    [5, 'dns'],
  ])('stores the response code %s as an outage', async (code, rawState) => {
    expect(await resolved(code)).toEqual({ state: 'outage', rawState, responseTimeMs: null });
  });

  it('stores a name without an address as an outage, also if it is an alias', async () => {
    const outage = { state: 'outage', rawState: 'dns', responseTimeMs: null };
    expect(await resolved(0, 20_000, ALIAS)).toEqual(outage);
  });

  it('stores a name server that does not answer as an outage', async () => {
    expect(await resolved(-1, 100)).toMatchObject({ state: 'outage', rawState: 'timeout' });
  });

  it.each([0, 1, 2])('asks the other name servers if number %s does not answer', async (silent) => {
    const all = await Promise.all([0, 1, 2].map((index) => nameServer(index === silent ? -1 : 0)));
    const check = dnsProbe({ target: 'acme.example', timeoutMs: 4_000, slowAfterMs: null }, all);
    expect(await check(signal)).toMatchObject({ state: 'operational' });
  });
});

describe('a canary', () => {
  it('is online when its address responds at all, and offline when it does not', async () => {
    const url = await serving((_, response) => response.writeHead(500).end());
    const canary = createCanary({ target: { kind: 'http', url }, allowPrivate: true }, options());
    const online = { isOnline: true, problem: null };
    expect(await Promise.all([canary(signal), canary(signal)])).toEqual([online, online]);
    expect(servers.seen).toHaveLength(1);
    const port = await closedPort();
    for (const target of [{ kind: 'tcp', host: '127.0.0.1', port } as const, { kind: 'http', url: `http://127.0.0.1:${String(port)}/` } as const])
      expect(await createCanary({ target, allowPrivate: true }, options())(signal)).toMatchObject({ isOnline: false });
  });

  it('hides no outage if its address is in a private network that is not allowed, and says so', async () => {
    const url = await serving((_, response) => response.end());
    for (const target of [{ kind: 'tcp', host: '127.0.0.1', port: Number(new URL(url).port) } as const, { kind: 'http', url } as const]) {
      const canary = createCanary({ target, allowPrivate: false }, options());
      expect(await canary(signal)).toEqual({ isOnline: true, problem: expect.stringContaining('add allowPrivate: true') });
    }
  });

  it('is online when its response cannot be read', async () => {
    const url = await serving((_, response) => response.writeHead(200, { 'content-encoding': 'unknown' }).end());
    expect(await createCanary({ target: { kind: 'http', url }, allowPrivate: true }, options())(signal)).toMatchObject({ isOnline: true });
  });
});
