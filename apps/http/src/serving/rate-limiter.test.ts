import type { IncomingMessage } from 'node:http';
import { StandingClock } from '@vitrine/core/testing';
import { DEFAULT_LIMITS } from '@vitrine/config/limits';
import { itInTorture } from '@vitrine/test-support';
import { heapUsed } from '../../test/support/heap-used.js';
import {
  ClientWindows,
  CLIENTS_OF_ONE_NETWORK,
  MOST_CLIENTS,
  MOST_NETWORKS,
  MOST_SEARCHING,
  RateLimiter,
  type RateLimiterOptions,
} from './rate-limiter.js';

const MEGABYTE = 1_024 * 1_024;
/** More than there is room for. */
const CLIENTS = 200_000;
const SEARCHING = 80_000;

/** What the limiter reads of a request. */
const from = (remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

function opened(options: Partial<RateLimiterOptions> = {}) {
  const hints: string[] = [];
  const clock = new StandingClock(0);
  const onUntrustedProxy = () => hints.push('hint');
  const limiter = new RateLimiter({ limits: DEFAULT_LIMITS, trustProxy: null, clock, onUntrustedProxy, ...options });
  return { limiter, hints, clock };
}

/** What is left after a request, as its header says: `"requests";r=299;t=60`. */
const left = (limiter: RateLimiter, request: IncomingMessage, isSearch = false) => limiter.take(request, isSearch)?.headers[3] ?? null;

describe('the memory of the limits', () => {
  itInTorture('is less than 32 MB after the requests of more clients than are counted, of whom many search', () => {
    const open = (most: number) =>
      new ClientWindows({ whose: 'client', name: 'requests', limit: 300, most, clock: { now: () => performance.now() } });
    const room = [MOST_CLIENTS, MOST_SEARCHING, MOST_NETWORKS, MOST_NETWORKS];
    // Keys as long as they get, each of them one string.
    const key = (serial: number) => ['2001', (0x1000 + (serial >> 8)).toString(16), '1000', (0x1000 + (serial & 255)).toString(16), ':/64'].join(':');
    const before = heapUsed();
    const all = room.map(open);
    const counts = [CLIENTS, SEARCHING, 2 * MOST_NETWORKS, 2 * MOST_NETWORKS];
    for (const [index, windows] of all.entries()) for (let serial = 0; serial < (counts[index] ?? 0); serial++) windows.take(key(serial));
    expect(heapUsed() - before).toBeLessThan(32 * MEGABYTE);
    expect(all.map(({ size }) => size)).toEqual(room);
  });
});

describe('a client on this machine', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'])('%s is not limited, unless the limits say so', (address) => {
    expect(opened().limiter.take(from(address), false)).toBeNull();
    expect(left(opened({ limits: { ...DEFAULT_LIMITS, loopback: true } }).limiter, from(address))).toBe('"requests";r=299;t=60');
  });

  it('is not one that only says so', () => {
    const { limiter } = opened({ trustProxy: 1 });
    expect(left(limiter, from('203.0.113.5', { 'x-forwarded-for': '127.0.0.1' }))).toBe('"requests";r=299;t=60');
    expect(limiter.take(from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }), false)).toBeNull();
  });

  it('is not one whose socket has no address, as that of a client that has disconnected', () => {
    const { limiter } = opened();
    expect(left(limiter, from(undefined))).toBe('"requests";r=299;t=60');
    const behindSocket = opened({ trustProxy: 1 }).limiter;
    expect(left(behindSocket, from(undefined, { 'x-forwarded-for': '203.0.113.5' }))).toBe('"requests";r=299;t=60');
    expect(left(behindSocket, from('127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }))).toBe('"requests";r=298;t=60');
  });
});

describe('the clients of an IPv6 network (/48)', () => {
  const limits = { requestsPerMinute: 5, searchesPerMinute: 2, loopback: false };
  const client = (number: number, site = 1) => from(`2001:db8:${site.toString(16)}:${number.toString(16)}::1`);
  const passed = (limiter: RateLimiter, requests: readonly IncomingMessage[], isSearch = false) =>
    requests.filter((request) => limiter.take(request, isSearch)?.refusal === null).length;

  it.each([
    ['requests', false, 5],
    ['searches', true, 2],
  ] as const)('may together send as many %s as 16 clients, and each as many as one', (_what, isSearch, limit) => {
    const { limiter } = opened({ limits: { ...limits, requestsPerMinute: isSearch ? 1_000 : 5 } });
    expect(
      passed(
        limiter,
        Array.from({ length: 50 }, () => client(1)),
        isSearch,
      ),
    ).toBe(limit);
    const others = Array.from({ length: 1_000 }, (_, number) => client(2 + number));
    expect(passed(limiter, others, isSearch)).toBe((CLIENTS_OF_ONE_NETWORK - 1) * limit);
    expect(limiter.take(client(5_000), isSearch)?.refusal?.message).toContain(
      `All clients of an IPv6 network (/48) together may send ${String(CLIENTS_OF_ONE_NETWORK * limit)}`,
    );
    expect(passed(limiter, [client(1, 2), from('203.0.113.5')], isSearch)).toBe(2);
  });

  it('are told what is left for them, which may be less than what is left for one', () => {
    const { limiter, clock } = opened({ limits });
    expect(left(limiter, client(1))).toBe('"requests";r=4;t=60');
    for (let number = 2; number <= 78; number++) limiter.take(client(number), false);
    clock.set(10_000);
    expect(left(limiter, client(500))).toBe('"requests";r=1;t=50');
  });
});

describe('a client that exceeds both limits', () => {
  it('is told to wait for the end of the later window', () => {
    const { limiter, clock } = opened({ limits: { requestsPerMinute: 2, searchesPerMinute: 1, loopback: false } });
    const request = from('203.0.113.5');
    limiter.take(request, false);
    clock.set(20_000);
    expect(limiter.take(request, true)?.refusal).toBeNull();
    clock.set(20_500);
    const counted = limiter.take(request, true);
    expect(counted?.headers).toEqual([
      'RateLimit-Policy',
      '"requests";q=2;w=60, "searches";q=1;w=60',
      'RateLimit',
      '"requests";r=0;t=40, "searches";r=0;t=60',
    ]);
    expect(counted?.refusal).toMatchObject({ code: 'RATE_LIMITED', message: 'A client may send 1 searches a minute. Try again in 60 s.' });
    expect(counted?.refusal?.headers).toEqual({ 'Retry-After': '60' });
  });
});

describe('a forwarded header, although no proxy is trusted', () => {
  it.each([
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }, 1],
    ['172.17.0.2', { forwarded: 'for=203.0.113.5' }, 1],
    ['fd00::1', { 'x-forwarded-for': 'anything' }, 1],
    ['203.0.113.5', { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=198.51.100.7' }, 0],
    ['127.0.0.1', {}, 0],
  ])('from %s with %j is hinted at %i times', (address, headers, times) => {
    const { limiter, hints } = opened();
    for (let count = 0; count < 3; count++) limiter.take(from(address, headers), false);
    expect(hints).toHaveLength(times);
  });

  it('is no reason for a hint if a proxy is trusted', () => {
    const { limiter, hints } = opened({ trustProxy: ['10.0.0.1'] });
    limiter.take(from('127.0.0.1', { 'x-forwarded-for': '203.0.113.5' }), false);
    expect(hints).toEqual([]);
  });
});
