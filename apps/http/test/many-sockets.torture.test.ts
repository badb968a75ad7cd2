import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { approve, endAttacked, started } from './support/attacked-server.js';
import { probing } from './support/hostile-client.js';
import { ask } from './support/open-loop.js';
import { RawClient } from './support/raw-client.js';

const DRIPPING = 10_000;
const DEAF = 10;
const LONGEST_PROBE_MS = 200;
const MEGABYTE = 1_024 * 1_024;

afterAll(endAttacked);

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
    process.stdout.write(`${String(DRIPPING)} dripping: ${((server.peakBytes - before) / MEGABYTE).toFixed(0)} MB, probe ${longest.toFixed(0)} ms\n`);
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
    const longest = await probing(port, cutOff());
    expect(performance.now() - startedAt).toBeLessThan(18_000);
    expect(longest).toBeLessThan(LONGEST_PROBE_MS);
    expect(server.peakBytes - before).toBeLessThan(100 * MEGABYTE);
    process.stdout.write(`deaf clients: ${((server.peakBytes - before) / MEGABYTE).toFixed(0)} MB, probe ${longest.toFixed(0)} ms\n`);
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
      approve('acme/gadget');
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
