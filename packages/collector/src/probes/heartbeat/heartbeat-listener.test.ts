import { once, type EventEmitter } from 'node:events';
import { request as httpRequest } from 'node:http';
import net from 'node:net';
import { until } from '@vitrine/test-support';
import { DAY, MINUTE, type Check } from '@vitrine/core';
import { Scheduler } from '../../running/scheduler.js';
import { FakeStore } from '../../testing/fake-store.js';
import { clientByAddress, HEARTBEAT_CONNECTION_LIMITS, type ClientOf, type HeartbeatConnectionLimits } from './heartbeat-connections.js';
import { HeartbeatListener, type HeartbeatListenerOptions } from './heartbeat-listener.js';
import { HeartbeatSource } from './heartbeat-source.js';

const TOKEN = 'a-token-of-a-backup';
const OTHER = 'another-token-of-a-backup';
const FEW = { all: 20, ofOneClient: 10, ofOneNetwork: 15 };

let store: FakeStore;
let listener: HeartbeatListener;
let scheduler: Scheduler;
let origin: string;
let problems: string[];
let clientOf: ClientOf;
let limits: HeartbeatConnectionLimits;

function source(key: string, token: string): HeartbeatSource {
  return new HeartbeatSource({
    service: { key, intervalMs: DAY, graceMs: MINUTE, tokenVariable: 'TOKEN' },
    environment: { TOKEN: token },
    publicAddress: () => 'https://acme.example/',
    receiver: listener,
  });
}

const started = () => {
  const clock = { now: () => Date.now() };
  return new Scheduler({ writer: store, collection: store, clock, onError: (_source, error) => problems.push(String(error)) });
};

async function listening(sources: () => readonly HeartbeatSource[], options: Partial<HeartbeatListenerOptions> = {}): Promise<void> {
  listener = new HeartbeatListener({ host: '127.0.0.1', port: 0, clientOf, limits, onListening: (address) => (origin = address), ...options });
  scheduler = started();
  scheduler.start(sources());
  await until(() => origin !== '');
}

beforeEach(() => {
  store = new FakeStore();
  [origin, problems, clientOf, limits] = ['', [], clientByAddress, HEARTBEAT_CONNECTION_LIMITS];
});
afterEach(() => scheduler.stop());

const both = () => [source('acme:backup', TOKEN), source('acme:cron', OTHER)];
const checks = () => store.all.filter((record): record is Check => record.kind === 'check');
const beat = (path: string, init: RequestInit = {}) => fetch(`${origin}/heartbeat/${path}`, init);

/** A connection may end with an error, such as a reset. */
const closed = (connection: EventEmitter) => new Promise((resolve) => connection.once('close', resolve));

/** Sends bytes, and resolves with everything that comes back until the connection ends. */
async function raw(bytes: string | Buffer): Promise<string> {
  const socket = net.connect(Number(new URL(origin).port), '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1'))).on('error', () => undefined);
  socket.write(bytes);
  await closed(socket);
  return text;
}

describe('HeartbeatListener', () => {
  it.each(['GET', 'HEAD', 'POST'])('answers %s with 200 after the heartbeat of the service is stored', async (method) => {
    await listening(both);
    const response = await beat(TOKEN, { method });
    expect([response.status, await response.text()]).toEqual([200, method === 'HEAD' ? '' : 'ok\n']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(checks()).toMatchObject([{ serviceKey: 'acme:backup', state: 'operational', rawState: 'ok' }]);
  });

  it('stores an outage if the job reports its failure, and ignores a body and a query', async () => {
    await listening(both);
    expect((await beat(`${OTHER}/fail?run=7`, { method: 'POST', body: 'x'.repeat(200_000) })).status).toBe(200);
    expect(checks()).toMatchObject([{ serviceKey: 'acme:cron', state: 'outage', rawState: 'reported' }]);
  });

  it('answers every other address in the same way, and stores nothing', async () => {
    await listening(both);
    const paths = ['x'.repeat(19), `${TOKEN}x`, TOKEN.slice(1), `${TOKEN}/`, `${TOKEN}/fail/`, `${TOKEN}/success`, '', '%00', 'a'.repeat(5_000)];
    const answers = await Promise.all(paths.map((path) => raw(`GET /heartbeat/${path} HTTP/1.1\r\nHost: a\r\n\r\n`)));
    const others = await Promise.all(['/', `/${TOKEN}`, `/Heartbeat/${TOKEN}`].map((path) => raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)));
    const dateless = [...answers, ...others].map((text) => text.replace(/^Date: .*\r\n/m, ''));
    expect(dateless[0]).toMatch(/^HTTP\/1\.1 404 [^]*\r\n\r\nnot found\n$/);
    expect(new Set(dateless).size).toBe(1);
    expect(checks()).toEqual([]);
  });

  it('answers other methods with 405', async () => {
    await listening(both);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await beat(TOKEN, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST']);
    }
    expect(checks()).toEqual([]);
  });

  it('answers with 503 while the store cannot be written, and stores the heartbeat as soon as it can', async () => {
    await listening(both);
    const put = store.put.bind(store);
    store.put = () => Promise.reject(new Error('disk full'));
    const response = await beat(TOKEN);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(problems).toContain('Error: disk full');
    store.put = put;
    expect((await beat(TOKEN)).status).toBe(200);
    expect(checks()).toHaveLength(1);
  });

  it('answers with 503 if the store refuses the heartbeat', async () => {
    await listening(both);
    store.refuse = (record) => (record.kind === 'check' ? 'frozen-day' : null);
    expect((await beat(TOKEN)).status).toBe(503);
  });

  it('stores many heartbeats of one service together, at most once in a second', async () => {
    await listening(both);
    const startedAt = performance.now();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await beat(TOKEN)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(checks().length).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - startedAt) / 1_000));
  });

  it('serves neither of two services that have one token', async () => {
    await listening(() => [source('acme:a', TOKEN), source('acme:b', TOKEN), source('acme:c', OTHER)]);
    expect((await beat(TOKEN)).status).toBe(404);
    expect((await beat(OTHER)).status).toBe(200);
    await until(() => problems.length === 2);
    expect(problems.join()).toContain('acme:a has the token of another service');
    expect(problems.join()).not.toContain(TOKEN);
  });

  it('follows the services of the configuration', async () => {
    const [backup, cron] = [() => source('acme:backup', TOKEN), () => source('acme:cron', OTHER)];
    await listening(() => [backup()]);
    expect((await beat(OTHER)).status).toBe(404);
    scheduler.replace([cron()]);
    expect((await beat(OTHER)).status).toBe(200);
    expect((await beat(TOKEN)).status).toBe(404);
    scheduler.replace([]);
    await until(async () => (await beat(OTHER).catch(() => null)) === null);
  });

  it('says which port is in use, and listens as soon as it is free', async () => {
    const blocker = net.createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as net.AddressInfo;
    listener = new HeartbeatListener({ host: '127.0.0.1', port, clientOf, retryMs: 20, onListening: (address) => (origin = address) });
    scheduler = started();
    scheduler.start(both());
    await until(() => problems.length > 0);
    expect(problems[0]).toContain(`port ${String(port)} of 127.0.0.1 is in use by another process; stop it, or set another one in heartbeats`);
    blocker.close();
    await until(() => origin !== '');
    expect((await beat(TOKEN)).status).toBe(200);
  });

  it('can be started again after a stop', async () => {
    await listening(both);
    const sources = both();
    await scheduler.stop();
    await expect(beat(TOKEN)).rejects.toThrow();
    origin = '';
    scheduler = started();
    scheduler.start(sources);
    await until(() => origin !== '');
    expect((await beat(TOKEN)).status).toBe(200);
  });

  it('listens again as soon as it has stopped, and no source fails meanwhile, when its services leave and come back', async () => {
    const blocker = net.createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as net.AddressInfo;
    await new Promise((resolve) => blocker.close(resolve));
    listener = new HeartbeatListener({ host: '127.0.0.1', port, clientOf, onListening: (address) => (origin = address) });
    scheduler = started();
    scheduler.start(both());
    await until(() => origin !== '');
    // A request that is not complete holds up the stop.
    const slow = net.connect(port, '127.0.0.1').on('error', () => undefined);
    slow.write(`POST /heartbeat/${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`);
    await until(() => checks().length > 0);
    origin = '';
    scheduler.replace([]);
    scheduler.replace(both());
    await until(() => origin !== '');
    expect((await beat(OTHER)).status).toBe(200);
    expect(problems).toEqual([]);
    slow.destroy();
  });

  it('survives garbage, and closes connections that send too much, too slowly or nothing', async () => {
    await listening(both);
    const head = `POST /heartbeat/${TOKEN} HTTP/1.1\r\nHost: a\r\n`;
    const garbage = [
      '\0\0\0\0',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nabc',
      `${head}Content-Length: x\r\n\r\n`,
      `${head}X: ${'y'.repeat(20_000)}\r\n\r\n`,
    ];
    const upgrade = `GET /heartbeat/${TOKEN} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    await Promise.all([...garbage, Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])].map(raw));
    expect(await raw(upgrade)).toContain('200 OK');
    const pipelined = await raw(`GET /heartbeat/${TOKEN} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(50));
    expect(pipelined.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    const large = httpRequest(`${origin}/heartbeat/${TOKEN}`, { method: 'POST' });
    large.on('error', () => undefined).on('response', (response) => response.resume());
    const gone = closed(large);
    large.write(Buffer.alloc(3 * 1_024 * 1_024));
    await gone;
    expect((await beat(TOKEN)).status).toBe(200);
  });

  /** Connections that send these bytes, from the addresses in turn, and those of them that are still open. */
  async function connections(count: number, bytes: string | ((number: number) => string), addresses: readonly string[]) {
    const open = new Set<net.Socket>();
    const errors: (string | undefined)[] = [];
    for (let number = 0; number < count; number++) {
      const localAddress = addresses[number % addresses.length];
      const socket = net.connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress });
      socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code)).on('close', () => open.delete(socket));
      open.add(socket);
      await once(socket, 'connect').catch(() => undefined);
      socket.write(typeof bytes === 'string' ? bytes : bytes(number));
    }
    return { open, errors };
  }

  const FOUR = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
  /** The request has arrived, but not its body. */
  const head = (token: string, more = '') => `POST /heartbeat/${token} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n${more}\r\n`;

  it.each([
    ['nothing', 'one address', 15, ['127.0.0.1'], ''],
    ['a part of a request', 'one address', 15, ['127.0.0.1'], 'POST /heartb'],
    ['wrong tokens', 'one address', 15, ['127.0.0.1'], head('x'.repeat(16))],
    ['nothing', 'many addresses', 25, FOUR, ''],
    ['wrong tokens', 'many addresses', 25, FOUR, head('x'.repeat(16))],
  ])('hears every heartbeat while clients that send %s from %s take all connections', async (_what, _where, count, addresses, bytes) => {
    limits = FEW;
    await listening(both);
    const { open, errors } = await connections(count, bytes, addresses);
    expect((await beat(TOKEN)).status).toBe(200);
    expect(listener.refusedAt).toBe(-Infinity);
    await until(() => open.size <= (addresses.length > 1 ? FEW.all : FEW.ofOneClient));
    expect(new Set(errors)).toEqual(new Set(['ECONNRESET']));
    for (const socket of open) socket.destroy();
  });

  it('refuses a new connection only if all others have brought a heartbeat, and says so', async () => {
    let requests = 0;
    limits = FEW;
    clientOf = (address, forwardedFor) => {
      if (forwardedFor !== null) requests++;
      return clientByAddress(address, forwardedFor);
    };
    await listening(both);
    const { open } = await connections(FEW.ofOneClient, head(TOKEN), ['127.0.0.1']);
    await until(() => requests === FEW.ofOneClient);
    expect(listener.refusedAt).toBe(-Infinity);
    const refused = await connections(1, '', ['127.0.0.1']);
    await until(() => refused.open.size === 0);
    expect(open.size).toBe(FEW.ofOneClient);
    expect(listener.refusedAt).not.toBe(-Infinity);
    for (const socket of open) socket.destroy();
  });

  it('limits the clients behind a proxy one by one, and the clients of one network together', async () => {
    // Each client sends its name as the forwarded address: what comes before the dash is its network.
    limits = FEW;
    clientOf = (_address, forwardedFor) => (forwardedFor === null ? null : { key: forwardedFor, network: forwardedFor.split('-')[0] ?? null });
    await listening(both);
    const requestOf = (name: string) => head('x'.repeat(16), `X-Forwarded-For: ${name}\r\n`);
    const other = await connections(3, requestOf('other-1'), ['127.0.0.1']);
    const one = await connections(12, requestOf('one-1'), ['127.0.0.1']);
    await until(() => one.open.size === 10);
    const rest = await connections(7, requestOf('one-2'), ['127.0.0.1']);
    await until(() => one.open.size + rest.open.size === 15);
    expect(other.open.size).toBe(3);
    for (const socket of [...other.open, ...one.open, ...rest.open]) socket.destroy();
  });

  it('evicts a client that sends a byte now and then, or nothing', async () => {
    await listening(both, { headersMs: 500 });
    const slow = net.connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
    const silent = net.connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
    const drip = setInterval(() => slow.write('G'), 200);
    await Promise.all([closed(slow.resume()), closed(silent.resume())]);
    clearInterval(drip);
    expect([slow.destroyed, silent.destroyed]).toEqual([true, true]);
  });
});
