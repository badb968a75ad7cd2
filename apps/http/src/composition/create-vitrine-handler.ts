import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANYTHING, assertOptions, CLOCK, FLAG, hasMethod, wholeUpTo } from '@vitrine/core';
import type { ApprovedRepositories, ChangeFeed, Clock, RulesOf, StoreReaders } from '@vitrine/core';
import type { Site } from '@vitrine/pages';
import { type Logger, pino } from 'pino';
import { belowBase, originForm } from '../serving/refusals.js';
import { type RateLimits, trustOf, type TrustProxy } from '../serving/client-address.js';
import { systemClock } from '../serving/computations.js';
import type { StoreHealth } from '../serving/store-guard.js';
import { createPresenters, type Presenters } from '../views/presenters.js';
import { routeLinks } from '../views/table.js';
import { createApplication } from './application.js';
import { checkedLimits, checkedPermission, checkedReaders, checkedSite, HEALTH, PATH, pathOfUrl, PUBLIC_URL } from './handler-options.js';

export interface VitrineHandlerOptions {
  /** The store to read from, such as `await openSqliteStore({ clock, path })`. For MongoDB, open a search index beside it: see `openSearchIndex`. */
  readonly store: {
    readonly readers: StoreReaders;
    /** The feed of changes, so that answers show writes at once. Without it, they may be as old as their `Cache-Control` allows. */
    readonly changeFeed?: ChangeFeed;
  };
  /**
   * The permission of this moment. It is asked once for each request, so the list may change. Return the same object until it does: answers are kept
   * under it. Without a readable list, throw an `UnavailableError`.
   */
  readonly approved: () => ApprovedRepositories;
  /** The address at which clients reach the API, without a slash at its end: `https://acme.example/vitrine`. */
  readonly publicUrl: string;
  /**
   * The path that clients see, such as `/vitrine`; by default the path of `publicUrl`. If a proxy cuts it off, change nothing: the handler accepts requests
   * with and without it. A proxy must not cut off a path that begins like one of the handler's own, such as `/status`.
   */
  readonly basePath?: string;
  /** Where requests and failures are logged. By default nowhere. */
  readonly logger?: Logger;
  /** By default the system's. */
  readonly clock?: Clock;
  /** Whether the store can be read, for `/readyz`. A connection of `connectMongo` has this shape. By default always ready. */
  readonly health?: StoreHealth;
  /** Whether an answer is sent again until it expires; default `true`. With `false`, every request reads the store. */
  readonly cacheAnswers?: boolean;
  /** How many requests may read the store at the same time; 20 by default. For MongoDB: the connections of the pool. */
  readonly storeSlots?: number;
  /**
   * How many requests a client may send in a minute: `{}` for 300 requests and 60 searches. By default `false`, because your server may have limits of its
   * own. Clients on the same machine are not limited unless `loopback` is `true`.
   */
  readonly limits?: Partial<RateLimits> | false;
  /**
   * Which proxies in front of your server are trusted to name the client in `X-Forwarded-For`: their number, or their addresses and networks. By default
   * none. Only `limits` uses the address of the client.
   */
  readonly trustProxy?: TrustProxy;
  /**
   * Serves the pages, too, with these texts: `{}` for the default ones. By default `false`, because your server may have other pages: then `/` is the
   * index of the API.
   */
  readonly site?: Partial<Site> | false;
}

const OPTIONS: RulesOf<VitrineHandlerOptions> = {
  store: ANYTHING,
  approved: ANYTHING,
  publicUrl: PUBLIC_URL,
  basePath: PATH,
  logger: { accepts: (logger) => hasMethod(logger, 'child'), means: 'a logger of pino' },
  clock: CLOCK,
  health: HEALTH,
  cacheAnswers: FLAG,
  storeSlots: wholeUpTo(10_000),
  limits: ANYTHING,
  trustProxy: { accepts: (value) => typeof value === 'number' || Array.isArray(value), means: 'a number of proxies, or a list of addresses' },
  site: ANYTHING,
};

/** Answers one request of a `node:http` server, or of a framework built on it. */
export interface VitrineHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /**
   * Stops following `store.changeFeed`, so that the store holds nothing of the handler any more. Call it when you stop serving, before you close the
   * store. Later responses have `Connection: close`, and `/readyz` answers 503. Calling it again does nothing.
   */
  readonly close: () => void;
}

/**
 * The whole API as one handler, to be mounted in a server of your own. Limits of connections, time-outs for slow clients and a graceful stop are your
 * server's: Vitrine's own server has them.
 *
 * @throws TypeError when an option is missing, wrong or does not exist. `approved` is called once to see that it returns a permission
 * @throws RangeError when `trustProxy` names no number of proxies, and no address
 */
export function createVitrineHandler(options: VitrineHandlerOptions): VitrineHandler {
  assertOptions('createVitrineHandler', options, OPTIONS);
  const { logger = pino({ level: 'silent' }), clock = systemClock, health, storeSlots, cacheAnswers } = options;
  const { publicUrl, basePath = pathOfUrl(publicUrl) } = options;
  const readers = checkedReaders(options.store);
  const approved = checkedPermission(options.approved);
  const limits = checkedLimits(options.limits ?? false);
  const { trustProxy = null } = options;
  // Without limits, nobody else would look at it.
  trustOf(trustProxy);
  const site = checkedSite(options.site ?? false);
  const application = createApplication({
    readers,
    changeFeed: options.store.changeFeed,
    approved: { current: approved },
    ...{ basePath, publicUrl, storeSlots, cacheAnswers, limits, trustProxy, site, logger, clock, health },
  });
  application.begin();
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    application.requests.begin(request, response, targetOf(request, basePath));
  return Object.assign(handle, { close: () => void application.close() });
}

/** The target below the base path. Frameworks that mount a handler may have cut the path off already, and then keep the whole target as `originalUrl`. */
function targetOf({ url = '/', originalUrl }: IncomingMessage & { readonly originalUrl?: string }, basePath: string): string {
  const target = originForm(url);
  const isCut = originalUrl !== undefined && originForm(originalUrl) !== target;
  return isCut ? target : belowBase(url, basePath);
}

export interface PresenterOptions {
  /** The public address of the API, without a slash at its end. */
  readonly publicUrl: string;
  /** The prefix of every path, such as `/vitrine`; by default the path of `publicUrl`. */
  readonly basePath?: string;
  /** Whether pages are served there, so that records have a `pageUrl`. */
  readonly hasPages?: boolean;
}

/**
 * Presenters for your own routes, with the JSON of the API: `vitrinePresenters({ publicUrl }).commit(item)`.
 *
 * @throws TypeError when an option is missing, wrong or does not exist
 */
export function vitrinePresenters(options: PresenterOptions): Presenters {
  assertOptions('vitrinePresenters', options, { publicUrl: PUBLIC_URL, basePath: PATH, hasPages: FLAG });
  const { publicUrl, basePath = pathOfUrl(publicUrl), hasPages = false } = options;
  return createPresenters(routeLinks(basePath, { publicUrl, hasPages, copy: null }));
}
