import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTorture } from '@vitrine/test-support';
import { ask } from './open-loop.js';
import { RawClient } from './raw-client.js';

/** Pseudo-random integers below a bound, the same ones for the same seed. */
type Random = (bound: number) => number;

/** The algorithm is Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const HOST = 'Host: vitrine.example\r\n';
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'TRACE', 'CONNECT', 'PRI', 'BREW', 'get', 'M-SEARCH'];
const TARGETS = [
  '/',
  '/livez',
  '/api/v1/overview',
  '/api/v1/news?limit=100',
  '/openapi.json',
  '*',
  'evil.example:443',
  'http://evil.example/livez',
  '//',
  '/%zz',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'ICY'];
const HEADERS = [
  '',
  'Connection: keep-alive\r\n',
  'Connection: close\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
  'Upgrade: TLS/1.0, HTTP/1.1\r\nConnection: upgrade, close\r\n',
  'Expect: 100-continue\r\n',
  'Expect: 200-ok\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 99999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n',
  `X-Big: ${'x'.repeat(9_000)}\r\n`,
  'X-Folded: a\r\n b\r\n',
];
const TAILS = ['', '', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', 'hello', '\r\n\r\n', '\u0000\u0000\u0000'];
const STARTS = [
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\r\n\r\n',
  'SSH-2.0-x\r\n',
  '\u0004\u0001',
];

/** Bytes that a hostile or broken client could send: complete, damaged and cut messages. */
function hostileBytes(random: Random): string {
  const one = (list: readonly string[]): string => list[random(list.length)] ?? '';
  const message = (): string =>
    `${one(METHODS)} ${one(TARGETS)} ${one(VERSIONS)}\r\n${random(8) === 0 ? '' : HOST}${one(HEADERS)}${random(3) === 0 ? one(HEADERS) : ''}\r\n${one(TAILS)}`;
  const plain = (): string => `GET ${one(TARGETS)} HTTP/1.1\r\n${HOST}\r\n`;
  const before = random(6) === 0 ? one(STARTS) : plain().repeat(random(4) === 0 ? random(200) : random(3));
  const bytes = before + message() + (random(3) === 0 ? message() : '');
  return random(3) === 0 ? bytes.slice(0, random(bytes.length)) : bytes;
}

/** One connection: sends hostile bytes in pieces, reads or not, and disconnects in a random way at a random moment. Resolves when it is closed. */
async function hostileConnection(port: number, random: Random): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: random(2) === 0 });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (random(3) > 0) socket.resume();
  const bytes = hostileBytes(random);
  const cut = random(bytes.length + 1);
  for (const piece of random(2) === 0 ? [bytes] : [bytes.slice(0, cut), bytes.slice(cut)]) {
    if (!socket.writable) break;
    socket.write(piece, 'latin1');
    if (random(2) === 0) await sleep(random(4));
  }
  // After `end`, Node rejects a reset and then does not close the socket.
  const reset = () => (socket.writableEnded ? socket.destroy() : socket.resetAndDestroy());
  const ways = [() => socket.destroy(), reset, () => socket.end(), () => socket.resume()];
  ways[random(ways.length)]?.();
  const patience = sleep(random(200)).then(() => (random(2) === 0 ? reset() : socket.destroy()));
  await Promise.all([closed, patience]);
}

const AT_A_TIME = 200;

/** Many hostile connections at a time. Resolves with their number. @param seed other bytes for another seed */
export async function hostileConnections(port: number, seed: number, hasEnded: (begun: number) => boolean): Promise<number> {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (!hasEnded(begun)) await hostileConnection(port, randomOf(seed + (begun += 1)));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return begun;
}

/** Opens connections that Node's own time-outs and close methods do not affect. */
export async function holdOpen(port: number): Promise<readonly RawClient[]> {
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
      if (isTorture) client.socket.pause();
      return client.send(text);
    }),
  );
}

/** Connections that are reset while the server closes them. */
export async function resetAfterConnect(port: number): Promise<void> {
  for (let times = 0; times < 20; times++) {
    const client = (await RawClient.connect(port)).send('CONNECT x:1 HTTP/1.1\r\n\r\n');
    await sleep(times % 4);
    client.socket.resetAndDestroy();
  }
}

/** Sends simple requests repeatedly, each on a new connection. Returns the longest response time. */
export async function probing(port: number, whileRunning: Promise<unknown>): Promise<number> {
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
