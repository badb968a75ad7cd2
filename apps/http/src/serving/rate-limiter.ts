import type { IncomingMessage } from 'node:http';
import { type Clock, MINUTE, SECOND } from '@vitrine/core';
import { LRUCache } from 'lru-cache';
import { Refusal } from './errors.js';
import { clientAddress, clientOf, isLoopback, isNear, OWN_MACHINE, parseAddress, trustOf } from './client-address.js';
import type { Address, Client, RateLimits, Trust, TrustProxy } from './client-address.js';

export interface RateLimiterOptions {
  readonly limits: RateLimits;
  /** `null`: no proxy is trusted, and forwarded headers are ignored. */
  readonly trustProxy: TrustProxy | null;
  /** It must not jump. */
  readonly clock: Clock;
  /** Is called once, if requests seem to come through a proxy although none is trusted. */
  readonly onUntrustedProxy: () => void;
}

interface LimitState extends Pick<ClientWindowsOptions, 'name' | 'whose' | 'limit'> {
  readonly consumed: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Together their windows take less than 32 MB. */
export const MOST_CLIENTS = 90_000;
export const MOST_SEARCHING = 36_000;
export const MOST_NETWORKS = 6_000;
/** The clients of one IPv6 network (/48) may together send as much as this many of them: enough for a company or a campus, and few for somebody who has all its addresses. */
export const CLIENTS_OF_ONE_NETWORK = 16;

/** Counts the requests of each client in windows of a minute. The count is that of this process alone. */
export class RateLimiter {
  readonly #requests: Limit;
  readonly #searches: Limit;
  readonly #policy: string;
  readonly #limitsLoopback: boolean;
  readonly #trusts: Trust;
  #hint: (() => void) | null;

  constructor({ limits, trustProxy, clock, onUntrustedProxy }: RateLimiterOptions) {
    this.#requests = limitOf({ name: 'requests', limit: limits.requestsPerMinute, most: MOST_CLIENTS, clock });
    this.#searches = limitOf({ name: 'searches', limit: limits.searchesPerMinute, most: MOST_SEARCHING, clock });
    this.#policy = [this.#requests, this.#searches]
      .map(({ clients: { options } }) => `"${options.name}";q=${String(options.limit)};w=${String(MINUTE / SECOND)}`)
      .join(', ');
    this.#limitsLoopback = limits.loopback;
    this.#trusts = trustOf(trustProxy);
    this.#hint = trustProxy === null ? onUntrustedProxy : null;
  }

  /** Counts a request. Returns `null` if the requests of its client are not limited. */
  take(request: IncomingMessage, isSearch: boolean) {
    const client = this.#clientOf(request);
    if (client === null) return null;
    const states = (isSearch ? [this.#requests, this.#searches] : [this.#requests]).map((limit) => stateOf(limit, client));
    return { headers: ['RateLimit-Policy', this.#policy, 'RateLimit', states.map(itemOf).join(', ')], refusal: refusalOf(states) };
  }

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

interface Limit {
  readonly clients: ClientWindows;
  readonly networks: ClientWindows;
}

function limitOf(options: Omit<ClientWindowsOptions, 'whose'>): Limit {
  const limit = options.limit * CLIENTS_OF_ONE_NETWORK;
  return {
    clients: new ClientWindows({ ...options, whose: 'client' }),
    networks: new ClientWindows({ ...options, whose: 'network', limit, most: MOST_NETWORKS }),
  };
}

/** Of the client and its network, the state that lets fewer requests through. A request that its client's own limit refuses does not count for the network. */
function stateOf({ clients, networks }: Limit, { key, network }: Client): LimitState {
  const own = clients.take(key);
  if (network === null || own.consumed > own.limit) return own;
  const shared = networks.take(network);
  return shared.remaining < own.remaining || shared.consumed > shared.limit ? shared : own;
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

interface Window {
  count: number;
  /** In whole milliseconds, because V8 stores small integers without an object. */
  readonly endsAt: number;
}

export interface ClientWindowsOptions {
  readonly name: string;
  readonly whose: 'client' | 'network';
  readonly limit: number;
  /** The most windows that are kept. The least recently used one is dropped first. One takes about 210 bytes. */
  readonly most: number;
  /** It must not jump. */
  readonly clock: Clock;
}

/** Counts the requests of each client, in a window of a minute that begins with its first one. */
export class ClientWindows {
  readonly #windows: LRUCache<string, Window>;

  constructor(readonly options: ClientWindowsOptions) {
    // With `max` instead, the cache would take its whole memory at once.
    this.#windows = new LRUCache({ maxSize: options.most, sizeCalculation: () => 1 });
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts a request. It is one too many if more than the limit are consumed. */
  take(client: string): LimitState {
    const { name, whose, limit, clock } = this.options;
    const now = clock.now();
    const known = this.#windows.get(client);
    const window = known === undefined || known.endsAt <= now ? { count: 0, endsAt: Math.floor(now + MINUTE) } : known;
    window.count += 1;
    if (window !== known) this.#windows.set(client, window);
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / SECOND));
    return { name, whose, limit, consumed: window.count, remaining: Math.max(limit - window.count, 0), resetSeconds };
  }
}
