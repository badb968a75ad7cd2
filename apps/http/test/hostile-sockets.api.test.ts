import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './support/open-loop.js';
import { hostileConnection, randomOf } from './support/hostile-client.js';
import { RawClient } from './support/raw-client.js';
import { ServerProcess } from './support/server-process.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const HOSTILE = torture ? 20_000 : 300;
const HOSTILE_AT_A_TIME = 200;
/** For effects that only many connections have. */
const LONG_RUN_MS = 60_000 * Number(process.env['VITRINE_TORTURE_MINUTES'] ?? 10);
const DRIPPING = torture ? 10_000 : 200;
const DEAF = torture ? 10 : 3;
/** The guaranteed times hold on an idle machine, as in a torture run. Other runs share the machine. */
const LONGEST_PROBE_MS = torture ? 200 : 3_000;
const MEGABYTE = 1_024 * 1_024;
const SEED = Number(process.env['VITRINE_SEED'] ?? (torture ? Date.now() % 1_000_000 : 21));

// The time limits that are tested here are shorter than a pause of a busy machine. A defect fails every try.
if (!torture) jest.retryTimes(2, { logErrorsBeforeRetry: true });

const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
const config = join(folder, 'vitrine.yaml');
const records = join(__dirname, '..', '..', '..', 'examples', 'records.ndjson');
const yaml = (approved: string): string => `store: { path: null }\napproved: [${approved}]\nsources:\n  - records: ${JSON.stringify(records)}\n`;
const servers = new Set<ServerProcess>();

afterAll(() => {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A server that has collected. Its log is off, because it would have one line for each hostile request. */
async function started(descriptors?: number) {
  writeFileSync(config, yaml('acme/widget, acme/gadget'));
  const server = new ServerProcess(config, '', [], [], { descriptors, more: { LOG_LEVEL: 'fatal' } });
  servers.add(server);
  const port = Number(new URL(await server.origin()).port);
  await server.eventually('collect', async () => (await server.get('/api/v1/repositories/acme/widget')).status === 200);
  // The store opens its files a second time when the first search arrives.
  expect((await server.get('/api/v1/search?q=widget')).status).toBe(200);
  return { server, port };
}

/** Sends simple requests repeatedly, each on a new connection. Returns the longest response time. */
async function probing(port: number, whileRunning: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = whileRunning.finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const agent = new http.Agent();
    const heard = await ask(port, agent, '/livez');
    expect(heard.status).toBe(200);
    longest = Math.max(longest, heard.tookMs);
    await sleep(50);
  }
  await over;
  return longest;
}

async function hostileConnections(port: number, hasEnded: (begun: number) => boolean): Promise<number> {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (!hasEnded(begun)) await hostileConnection(port, randomOf(SEED + (begun += 1)));
  };
  await Promise.all(Array.from({ length: HOSTILE_AT_A_TIME }, worker));
  return begun;
}

/** Opens connections that Node's own time-outs and close methods do not affect. */
async function holdOpen(port: number): Promise<readonly RawClient[]> {
  const get = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
  const bytes = [
    'CONNECT x:1 HTTP/1.1\r\n\r\n',
    `${get}CONNECT x:1 HTTP/1.1\r\n\r\n`,
    get.repeat(300),
    `${get.repeat(300)}GET / HT`,
    'GET / HT',
    '\u0016\u0003\u0001',
    '',
  ];
  return Promise.all(
    bytes.map(async (text) => {
      const client = await RawClient.connect(port);
      // The stop waits as long as it may for a response that nobody reads.
      if (torture) client.socket.pause();
      return client.send(text);
    }),
  );
}

async function expectUnharmed(server: ServerProcess, port: number, descriptors: number): Promise<void> {
  await server.eventually('close every connection', () => server.descriptors <= descriptors);
  const held = await holdOpen(port);
  await sleep(50);
  const askedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(13_000);
  for (const { socket } of held) socket.destroy();
}

describe('a server whose clients send random bytes and disconnect at any moment', () => {
  it('continues to serve, leaks no descriptor, and stops in time', async () => {
    const { server, port } = await started();
    const descriptors = server.descriptors + 2;
    const longest = await probing(
      port,
      hostileConnections(port, (begun) => begun >= HOSTILE),
    );
    if (torture) process.stdout.write(`${String(HOSTILE)} hostile connections from seed ${String(SEED)}: longest probe ${longest.toFixed(0)} ms\n`);
    await expectUnharmed(server, port, descriptors);
  }, 600_000);

  if (torture)
    it(
      'continues to serve as long as they do',
      async () => {
        const { server, port } = await started();
        const descriptors = server.descriptors + 2;
        const end = performance.now() + LONG_RUN_MS;
        const all = hostileConnections(port, () => performance.now() > end);
        const longest = await probing(port, all);
        const told = `${String(await all)} hostile connections, longest probe ${longest.toFixed(0)} ms, at most ${(server.peakBytes / MEGABYTE).toFixed(0)} MB`;
        process.stdout.write(`${told}\n`);
        await expectUnharmed(server, port, descriptors);
      },
      3 * LONG_RUN_MS + 120_000,
    );

  it('survives a reset after CONNECT', async () => {
    const { server, port } = await started();
    for (let times = 0; times < 20; times++) {
      const client = (await RawClient.connect(port)).send('CONNECT x:1 HTTP/1.1\r\n\r\n');
      await sleep(times % 4);
      client.socket.resetAndDestroy();
    }
    expect((await server.get('/livez')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

describe('a server whose clients send a byte a second', () => {
  it('serves other clients, and disconnects all of them within 15 s, at little cost', async () => {
    const { server, port } = await started();
    const before = server.peakBytes;
    const text = 'GET /api/v1/overview HTTP/1.1\r\nHost: vitrine.example\r\n';
    const sockets = new Set<net.Socket>();
    for (let serial = 0; serial < DRIPPING; serial++) {
      const { socket } = await RawClient.connect(port);
      sockets.add(socket);
      socket.on('end', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    let sent = 0;
    const startedAt = performance.now();
    const dripping = setInterval(() => {
      for (const socket of sockets) socket.write(text.charAt(sent));
      sent += 1;
    }, 1_000).unref();
    const gone = (async () => {
      while (sockets.size > 0 && performance.now() - startedAt < 20_000) await sleep(50);
      return performance.now() - startedAt;
    })();
    const longest = await probing(port, gone);
    clearInterval(dripping);
    expect(await gone).toBeLessThan(15_000);
    expect(server.peakBytes - before).toBeLessThan(120 * MEGABYTE);
    if (torture)
      process.stdout.write(
        `${String(DRIPPING)} dripping: ${((server.peakBytes - before) / MEGABYTE).toFixed(0)} MB, probe ${longest.toFixed(0)} ms\n`,
      );
    expect(await server.stop()).toBe(0);
  });
});

describe('a server whose clients send many requests and read no response', () => {
  it('serves other clients at once, uses little memory, and disconnects them', async () => {
    const { server, port } = await started();
    for (let times = 0; times < 50; times++) await server.get('/api/v1/overview');
    const before = server.peakBytes;
    const { descriptors } = server;
    const clients = await Promise.all(Array.from({ length: DEAF }, () => RawClient.connect(port)));
    for (const { socket } of clients) socket.pause();
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: vitrine.example\r\n\r\n';
    for (const client of clients) client.send(request.repeat(1_000));
    const cutOff = async (): Promise<void> => {
      for (const end = Date.now() + 20_000; Date.now() < end && server.descriptors > descriptors + 1; await sleep(50));
    };
    const startedAt = performance.now();
    const longest = await probing(port, torture ? cutOff() : sleep(2_000));
    expect(performance.now() - startedAt).toBeLessThan(18_000);
    expect(longest).toBeLessThan(LONGEST_PROBE_MS);
    expect(server.peakBytes - before).toBeLessThan(100 * MEGABYTE);
    if (torture) process.stdout.write(`deaf clients: ${((server.peakBytes - before) / MEGABYTE).toFixed(0)} MB, probe ${longest.toFixed(0)} ms\n`);
    for (const { socket } of clients) socket.destroy();
    expect(await server.stop()).toBe(0);
  });
});

describe('a server whose clients use every connection', () => {
  it('still reads its configuration: a removed repository disappears within 6 s', async () => {
    const { server, port } = await started(600);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const widget = (): Promise<number> => ask(port, agent, '/api/v1/repositories/acme/widget').then(({ status }) => status);
    expect(await widget()).toBe(200);
    const clients = new Set<net.Socket>();
    const connect = (): void => {
      const socket = net.connect({ port, host: '127.0.0.1' });
      clients.add(socket.on('error', () => undefined).on('close', () => clients.delete(socket)));
    };
    // Replace each connection that the server closes.
    const flooding = setInterval(() => {
      for (let times = 0; times < 60 && clients.size < 1_000; times++) connect();
    }, 20).unref();
    try {
      for (const end = Date.now() + 1_000; Date.now() < end; await sleep(50)) expect(await widget()).toBe(200);
      writeFileSync(config, yaml('acme/gadget'));
      let status = 200;
      for (const end = Date.now() + 6_000; status !== 404 && Date.now() < end; await sleep(50)) status = await widget();
      expect(status).toBe(404);
    } finally {
      clearInterval(flooding);
    }
    agent.destroy();
    for (const socket of clients) socket.destroy();
    expect(await server.stop()).toBe(0);
  });
});
