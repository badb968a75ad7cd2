import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { itInTorture, sampled, until } from '@vitrine/test-support';
import type { ConnectionLimits } from '../src/serving/connections.js';
import { drain } from '../src/serving/server.js';
import { Api } from './support/api.js';
import { FaultyStore } from './support/faulty-store.js';
import { RawClient } from './support/raw-client.js';
import { smallWorld } from './support/small-world.js';

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: vitrine.example\r\n\r\n`;
/** The longest response. Several of them exceed what the operating system buffers for a client that does not read. */
const LONG = get('/openapi.json');
const MANY = 250;

afterEach(() => Api.closeAll());

function connectionsOf(api: Api): Promise<number> {
  return new Promise((resolve, reject) => {
    api.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

async function untilConnections(api: Api, count: number): Promise<void> {
  await until(async () => (await connectionsOf(api)) === count);
}

/** The length of a response, according to its own header. */
function lengthOf(text: string): number {
  return text.indexOf('\r\n\r\n') + 4 + Number(/Content-Length: (\d+)/.exec(text)?.[1]);
}

/** A client that reads nothing until the test says so. */
async function deafClient(api: Api): Promise<RawClient> {
  const client = await RawClient.connect(api.port);
  client.socket.pause();
  return client.send(LONG.repeat(MANY));
}

describe('a client that does not read its responses', () => {
  itInTorture('is disconnected when it has read nothing for some time; a client that reads slowly is not', async () => {
    // Far longer than a busy machine makes the slow client wait between two reads.
    const api = await Api.open({ limits: { stallMs: 10_000 } });
    const whole = (await RawClient.connect(api.port)).send(LONG);
    await until(() => whole.text.length > 0 && whole.text.length === lengthOf(whole.text));
    whole.socket.destroy();
    const [deaf, slow] = [await deafClient(api), await deafClient(api)];
    let isSlow = true;
    const reading = (async () => {
      for (; isSlow; await sleep(300)) {
        slow.socket.resume();
        await sleep(2);
        slow.socket.pause();
      }
    })();
    await untilConnections(api, 1);
    await sleep(300);
    isSlow = false;
    await reading;
    expect(slow.socket.readableEnded).toBe(false);
    const before = slow.socket.bytesRead;
    slow.socket.resume();
    await until(() => slow.socket.bytesRead === MANY * whole.socket.bytesRead);
    expect(before).toBeLessThan(slow.socket.bytesRead);
    deaf.socket.destroy();
    slow.socket.destroy();
  });

  it('is disconnected when all clients together leave too many bytes unread', async () => {
    const api = await Api.open({ limits: { maxUnreadBytes: 100_000 } });
    const clients = await Promise.all(Array.from({ length: 4 }, () => deafClient(api)));
    await untilConnections(api, 1);
    expect((await api.get('/livez')).status).toBe(200);
    for (const { socket } of clients) socket.destroy();
  });

  it('is not disconnected by a stop while it reads', async () => {
    const api = await Api.open();
    const client = await deafClient(api);
    await until(async () => (await connectionsOf(api)) === 1);
    await sleep(100);
    api.application.stop();
    const drained = drain(api.server, { graceMs: 50, deadlineMs: 60_000 });
    await sleep(300);
    client.socket.resume();
    await Promise.all([client.ended(), drained]);
    const lengths = [...client.text.matchAll(/Content-Length: (\d+)/g)].map(([, length]) => Number(length));
    const bodies = client.text.split(/HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n/).slice(1);
    expect(bodies.map((body) => body.length)).toEqual(lengths);
    client.socket.destroy();
  });
});

/** The states of the server's connections for which Linux still keeps something unsent. */
function keptConnections(port: number): readonly string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter(([, address = '']) => address.endsWith(local));
  return rows.flatMap(([, , , state = '', queues = '']) => (state === LISTENING || Number(`0x${queues.split(':')[0] ?? ''}`) === 0 ? [] : [state]));
}
const LISTENING = '0A';

describe('a connection that is evicted', () => {
  const evicted: readonly (readonly [string, Partial<ConnectionLimits>, (api: Api) => Promise<void> | void])[] = [
    ['because its client reads nothing', { stallMs: 200 }, () => undefined],
    ['because all clients leave too many bytes unread', { maxUnreadBytes: 0 }, () => undefined],
    ['because too many requests wait', { maxWaiting: 0 }, () => undefined],
    ['by a stop that has waited long enough', {}, (api) => drain(api.server, { graceMs: 0, deadlineMs: 10 })],
  ];

  it.each(sampled(evicted, 3))('leaves nothing unsent in the operating system: %s', async (_why, limits, provoke) => {
    const api = await Api.open({ limits });
    const { port } = api;
    const clients = await Promise.all(Array.from({ length: 5 }, () => deafClient(api)));
    await provoke(api);
    await untilConnections(api, 0);
    await until(() => keptConnections(port).length === 0);
    for (const { socket } of clients) socket.destroy();
  });

  it('leaves nothing unsent if it was idle, because the operating system had its whole response', async () => {
    const api = await Api.open({ limits: { maxConnections: 5, minIdleMs: 0 } });
    const { port } = api;
    const whole = (await RawClient.connect(api.port)).send(LONG);
    await until(() => whole.text.length > 0 && whole.text.length === lengthOf(whole.text));
    whole.socket.destroy();
    const deaf: RawClient[] = [];
    for (let serial = 0; serial < 3; serial++) {
      const client = await RawClient.connect(api.port);
      client.socket.pause();
      deaf.push(client.send(LONG.repeat(4)));
    }
    await until(() => keptConnections(port).length === 3);
    const others = await Promise.all(Array.from({ length: 12 }, () => RawClient.connect(api.port)));
    await until(() => keptConnections(port).length === 0);
    for (const { socket } of [...deaf, ...others]) socket.destroy();
  });
});

describe('a message that is not a valid request', () => {
  it('is answered after the request before it, and its connection ends', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    faulty.set({ delayMs: 50 }, 'news');
    for (const [message, status] of [
      ['CONNECT evil.example:443 HTTP/1.1\r\n\r\nbytes', 405],
      ['no request\r\n\r\n', 400],
    ] as const) {
      const client = (await RawClient.connect(api.port)).send(get(`/api/v1/news?source=${String(status)}`) + message);
      await sleep(10);
      client.send('more of it');
      await client.ended();
      expect(client.statuses).toEqual([200, status]);
      client.socket.destroy();
    }
  });

  it('does not keep its connection open, whatever the client does', async () => {
    const api = await Api.open();
    const messages = ['CONNECT evil.example:443 HTTP/1.1\r\n\r\n', 'no request\r\n\r\n'];
    const connect = (message: string) => RawClient.connect(api.port).then((client) => client.send(message));
    const [silent, talking, resetting] = await Promise.all([messages, messages, messages].map((all) => Promise.all(all.map(connect))));
    const talk = setInterval(() => talking?.forEach((client) => client.send('bytes')), 20).unref();
    for (const client of resetting ?? []) {
      await client.ended();
      client.socket.resetAndDestroy();
    }
    await untilConnections(api, 0);
    clearInterval(talk);
    for (const { socket } of [...(silent ?? []), ...(talking ?? [])]) socket.destroy();
    expect((await api.get('/livez')).status).toBe(200);
  });
});

const IDLE_MS = process.env['VITRINE_TORTURE'] === '1' ? 70_000 : 6_500;

describe('an idle connection', () => {
  it(
    'stays open, so that a load balancer can send its next request on it',
    async () => {
      const api = await Api.open({});
      const client = await RawClient.connect(api.port);
      for (const answers of [1, 2]) {
        client.send(get('/livez'));
        await until(() => client.statuses.length === answers);
        if (answers === 1) await sleep(IDLE_MS);
      }
      expect(client.statuses).toEqual([200, 200]);
      client.socket.destroy();
    },
    IDLE_MS + 120_000,
  );
});

describe('when most of the allowed connections are open', () => {
  it('a new one closes the one that has been idle the longest, and none with a request in progress', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over, limits: { maxConnections: 10, minIdleMs: 50 } });
    const release = faulty.hold('news');
    const busy = (await RawClient.connect(api.port)).send(get('/api/v1/news'));
    const idle: RawClient[] = [];
    for (let serial = 0; serial < 7; serial++) idle.push(await RawClient.connect(api.port));
    // The first connection becomes the most recently used one.
    idle[0]?.send(get('/livez'));
    await until(() => idle[0]?.statuses.length === 1);
    await sleep(60);
    const next = await RawClient.connect(api.port);
    await idle[1]?.ended();
    release();
    await until(() => busy.statuses.length === 1);
    expect(idle.map(({ isClosed }) => isClosed)).toEqual([false, true, false, false, false, false, false]);
    expect(next.send(get('/livez')).isClosed).toBe(false);
    await until(() => next.statuses.length === 1);
    for (const { socket } of [busy, next, ...idle]) socket.destroy();
  });

  it('and all are idle, a new one replaces one of them', async () => {
    const api = await Api.open({ limits: { maxConnections: 5, minIdleMs: 50 } });
    const silent = await Promise.all(Array.from({ length: 5 }, () => RawClient.connect(api.port)));
    await untilConnections(api, 5);
    await sleep(60);
    // The first of them is closed and makes room.
    const dropped = await RawClient.connect(api.port);
    await dropped.ended();
    expect((await api.get('/livez')).status).toBe(200);
    for (const { socket } of [dropped, ...silent]) socket.destroy();
  });

  it('more are not accepted, and none is lost', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over, limits: { maxConnections: 10 } });
    const release = faulty.hold('news');
    const clients: RawClient[] = [];
    for (let serial = 0; serial < 14; serial++) clients.push((await RawClient.connect(api.port)).send(get(`/api/v1/news?source=s${String(serial)}`)));
    await until(() => clients.filter(({ isClosed, socket }) => isClosed || socket.readableEnded).length === 4);
    release();
    await until(() => clients.filter(({ statuses }) => statuses.length === 1).length === 10);
    for (const { socket } of clients) socket.destroy();
    await untilConnections(api, 0);
    expect((await api.get('/livez')).status).toBe(200);
  });
});
