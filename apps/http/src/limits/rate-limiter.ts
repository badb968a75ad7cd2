import type { IncomingMessage } from 'node:http';
import type { Clock } from '@vitrine/core';
import type { Counted, RequestLimiter } from '../http/request-limiter.js';
import { Refusal } from '../http/refusal.js';
import { clientAddress, clientOf, isLoopback, isNear, OWN_MACHINE, parseAddress, type Address, type Client, type Trust } from './client-address.js';
import { ClientWindows } from './client-windows.js';
import type { RateLimits, TrustProxy } from './rate-limits.js';
import { TRUST_NOBODY, trustOf } from './trusted-proxies.js';

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
