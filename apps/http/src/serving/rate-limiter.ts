import type { IncomingMessage } from 'node:http';
import type { Clock } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Counted, RequestLimiter } from './exchange.js';
import { Refusal } from './errors.js';
import {
  clientAddress,
  clientOf,
  isLoopback,
  isNear,
  OWN_MACHINE,
  parseAddress,
  TRUST_NOBODY,
  trustOf,
  type Address,
  type Client,
  type Trust,
  type RateLimits,
  type TrustProxy,
} from './client-address.js';

export interface RateLimiterOptions {
  readonly limits: RateLimits;
  /** `null`: no proxy is trusted, and forwarded headers are ignored. */
  readonly trustProxy: TrustProxy | null;
  /** It must not jump. */
  readonly clock: Clock;
  /** Is called once, if requests seem to come through a proxy although none is trusted. */
  readonly onUntrustedProxy: () => void;
}

/** The state of one limit after a request was counted. */
interface LimitState {
  readonly name: string;
  readonly whose: 'client' | 'network';
  readonly limit: number;
  readonly consumed: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

const WINDOW_SECONDS = 60;
const SECOND_MS = 1_000;
/** Together their windows take less than 32 MB. */
export const MOST_CLIENTS = 90_000;
export const MOST_SEARCHING = 36_000;
/** Of each limit. */
export const MOST_NETWORKS = 6_000;
/** The clients of one IPv6 network (/48) may together send as much as this many of them: enough for a company or a campus, and few for somebody who has all its addresses. */
export const CLIENTS_OF_ONE_NETWORK = 16;

/** Counts the requests of each client in windows of a minute. The count is that of this process alone. */
export class RateLimiter implements RequestLimiter {
  readonly #requests: Limit;
  readonly #searches: Limit;
  readonly #policy: string;
  readonly #limitsLoopback: boolean;
  readonly #trusts: Trust;
  #hint: (() => void) | null;

  /** @throws RangeError if `trustProxy` is not valid */
  constructor({ limits, trustProxy, clock, onUntrustedProxy }: RateLimiterOptions) {
    this.#requests = limitOf({ name: 'requests', points: limits.requestsPerMinute, most: MOST_CLIENTS }, clock);
    this.#searches = limitOf({ name: 'searches', points: limits.searchesPerMinute, most: MOST_SEARCHING }, clock);
    this.#policy = [this.#requests.clients, this.#searches.clients]
      .map(({ name, points }) => `"${name}";q=${String(points)};w=${String(WINDOW_SECONDS)}`)
      .join(', ');
    this.#limitsLoopback = limits.loopback;
    this.#trusts = trustProxy === null ? TRUST_NOBODY : trustOf(trustProxy);
    this.#hint = trustProxy === null ? onUntrustedProxy : null;
  }

  readonly take = (request: IncomingMessage, isSearch: boolean): Counted | null => {
    const client = this.#clientOf(request);
    if (client === null) return null;
    const states = (isSearch ? [this.#requests, this.#searches] : [this.#requests]).map((limit) => stateOf(limit, client));
    return { headers: ['RateLimit-Policy', this.#policy, 'RateLimit', states.map(itemOf).join(', ')], refusal: refusalOf(states) };
  };

  /** The client that a request counts for; `null` if its requests are not limited. */
  #clientOf({ socket, headers }: IncomingMessage): Client | null {
    const known = parseAddress(socket.remoteAddress ?? '');
    // A socket has no address if it is a Unix socket, or if its client has just disconnected. The second kind must not be exempt.
    const address = known ?? OWN_MACHINE;
    this.#hintAtProxy(address, headers);
    const client = clientAddress(address, forwardedFor(headers), this.#trusts);
    // A client that is not on this machine can name a loopback address in a header.
    if (!this.#limitsLoopback && known !== null && isLoopback(known) && isLoopback(client)) return null;
    return clientOf(client);
  }

  #hintAtProxy(address: Address, headers: IncomingMessage['headers']): void {
    if (this.#hint === null || (headers['x-forwarded-for'] ?? headers.forwarded) === undefined || !isNear(address)) return;
    this.#hint();
    this.#hint = null;
  }
}

/** Node joins repeated headers of this name. */
function forwardedFor(headers: IncomingMessage['headers']): string {
  return [headers['x-forwarded-for'] ?? []].flat().join(',');
}

/** The windows of the clients, and of the networks whose clients are counted together. */
interface Limit {
  readonly clients: ClientWindows;
  readonly networks: ClientWindows;
}

function limitOf({ name, points, most }: { readonly name: string; readonly points: number; readonly most: number }, clock: Clock): Limit {
  const base = { name, seconds: WINDOW_SECONDS, clock };
  return {
    clients: new ClientWindows({ ...base, points, most }),
    networks: new ClientWindows({ ...base, points: points * CLIENTS_OF_ONE_NETWORK, most: MOST_NETWORKS }),
  };
}

/** Of the client and its network, the state that lets fewer requests through. A request that its client's own limit refuses does not count for the network. */
function stateOf({ clients, networks }: Limit, { key, network }: Client): LimitState {
  const own = windowState(clients, key, 'client');
  if (network === null || own.consumed > own.limit) return own;
  const shared = windowState(networks, network, 'network');
  return shared.remaining < own.remaining || shared.consumed > shared.limit ? shared : own;
}

function windowState(windows: ClientWindows, key: string, whose: LimitState['whose']): LimitState {
  const { consumedPoints, remainingPoints, msBeforeNext } = windows.take(key);
  const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / SECOND_MS));
  return { name: windows.name, whose, limit: windows.points, consumed: consumedPoints, remaining: remainingPoints, resetSeconds };
}

function itemOf({ name, remaining, resetSeconds }: LimitState): string {
  return `"${name}";r=${String(remaining)};t=${String(resetSeconds)}`;
}

/** If several limits are exceeded, the client has to wait for the last of their windows. */
function refusalOf(states: readonly LimitState[]): Refusal | null {
  const [longest] = states.filter(({ consumed, limit }) => consumed > limit).sort((a, b) => b.resetSeconds - a.resetSeconds);
  if (longest === undefined) return null;
  const { name, whose, limit, resetSeconds } = longest;
  const seconds = String(resetSeconds);
  const who = whose === 'client' ? 'A client' : 'All clients of an IPv6 network (/48) together';
  return new Refusal('RATE_LIMITED', `${who} may send ${String(limit)} ${name} a minute. Try again in ${seconds} s.`, [], {
    'Retry-After': seconds,
  });
}

/** The requests of one client since its first one, until the window ends. */
interface Window {
  count: number;
  /** In whole milliseconds, because V8 stores small integers without an object. */
  readonly endsAt: number;
}

export interface ClientWindowsOptions {
  /** What is counted, such as `requests`. */
  readonly name: string;
  /** How many of them a client may send in a window. */
  readonly points: number;
  /** The length of a window. */
  readonly seconds: number;
  /** The most windows that are kept. The least recently used one is dropped first. One takes about 210 bytes. */
  readonly most: number;
  /** It must not jump. */
  readonly clock: Clock;
}

/**
 * A limiter of rate-limiter-flexible over a store of limited size. Besides the methods of the library, which return promises, it has one that returns its
 * result at once. The library calls the methods with an underscore.
 */
export class ClientWindows extends RateLimiterStoreAbstract {
  readonly name: string;
  readonly #windows: LRUCache<string, Window>;
  readonly #clock: Clock;

  constructor({ name, points, seconds, most, clock }: ClientWindowsOptions) {
    // With `max` instead, the cache would take its whole memory at once.
    const windows = new LRUCache<string, Window>({ maxSize: most, sizeCalculation: () => 1 });
    // With a prefix, each key would take 60 bytes more.
    super({ keyPrefix: '', points, duration: seconds, storeClient: windows });
    [this.name, this.#windows, this.#clock] = [name, windows, clock];
  }

  /** The number of windows that are kept. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts a request, as `consume` does, and returns the state of the client's window. The request is one too many if more than the limit are consumed. */
  take(client: string): RateLimiterRes {
    return this._getRateLimiterRes(client, 1, this.#counted(client, 1, this.msDuration));
  }

  _upsert(key: string, points: number, windowMs: number, isForced = false): Promise<Window> {
    if (isForced) this.#windows.delete(key);
    return Promise.resolve(this.#counted(key, points, windowMs));
  }

  _get(key: string): Promise<Window | null> {
    return Promise.resolve(this.#current(key));
  }

  _delete(key: string): Promise<boolean> {
    return Promise.resolve(this.#windows.delete(key));
  }

  _getRateLimiterRes(_key: string, points: number, { count, endsAt }: Window): RateLimiterRes {
    return new RateLimiterRes(Math.max(this.points - count, 0), endsAt - this.#clock.now(), count, count === points);
  }

  #counted(key: string, points: number, windowMs: number): Window {
    const current = this.#current(key);
    if (current !== null) {
      current.count += points;
      return current;
    }
    const window = { count: points, endsAt: Math.floor(this.#clock.now() + windowMs) };
    this.#windows.set(key, window);
    return window;
  }

  #current(key: string): Window | null {
    const window = this.#windows.get(key);
    return window === undefined || window.endsAt <= this.#clock.now() ? null : window;
  }
}
