import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pseudo-random integers below a bound, the same ones for the same seed. */
export type Random = (bound: number) => number;

/** The algorithm is Mulberry32. */
export function randomOf(seed: number): Random {
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
export async function hostileConnection(port: number, random: Random): Promise<void> {
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
