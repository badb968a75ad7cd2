import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type Clock, type Deadlines, type RecordStore, type StoredRecord, type StoreReaders } from '@vitrine/core';
import { type OpenStore, StandingClock } from '@vitrine/core/testing';
import type { Site, TextRenderer } from '@vitrine/pages';
import { pino } from 'pino';
import { type Application, createApplication } from '../../src/composition/application.js';
import type { ApprovedSource } from '../../src/serving/request.js';
import type { ConnectionLimits } from '../../src/serving/connections.js';
import type { PurgeHeader } from '../../src/serving/envelope.js';
import { HttpServer } from '../../src/serving/server.js';
import type { RateLimits, TrustProxy } from '../../src/serving/client-address.js';
import { ALWAYS_READY, type StoreHealth } from '../../src/serving/store-guard.js';
import { TimerDeadlines } from '../../src/serving/computations.js';
import { contractViolations, type Received } from './contract.js';
import { NOW, PUBLIC_URL } from './small-world.js';
import { RENDERER } from './text-renderer.js';

/** What the app serves. An application may have a store without a feed of changes. */
type ServedStore = Omit<RecordStore, 'changeFeed'> & Partial<Pick<RecordStore, 'changeFeed'>>;

export interface ApiOptions {
  readonly records?: readonly StoredRecord[];
  /** Default: a store in memory. */
  readonly openStore?: (clock: Clock) => Promise<ServedStore>;
  readonly approved?: ApprovedSource;
  readonly readers?: (readers: StoreReaders) => StoreReaders;
  readonly health?: StoreHealth;
  /** Applies this time limit to requests, and those of the product to their parts. Default: limits that no pause of a busy machine reaches. */
  readonly budgetMs?: number | undefined;
  readonly storeSlots?: number;
  readonly limits?: Partial<ConnectionLimits>;
  /** Default: none. */
  readonly rateLimits?: RateLimits | null;
  readonly trustProxy?: TrustProxy | null;
  /** On by default, so that every suite checks the purge keys. */
  readonly purgeHeader?: PurgeHeader | null;
  /** The pages; by default none are served. */
  readonly site?: Site | null;
  /** `false`: every request is computed, for tests of what happens then. */
  readonly cacheAnswers?: boolean;
  /** Whether the sums of a status are read before the first request. Default: `false`. */
  readonly readsAhead?: boolean;
  /** Default: limits that no pause of a busy machine reaches. */
  readonly texts?: TextRenderer;
}

export interface Answer extends Received {
  readonly json: unknown;
}

const PATIENCE_MS = 60_000;

/** Waits for every part of a response. */
const patient: Deadlines = { run: (_milliseconds, signal, call) => new TimerDeadlines().run(PATIENCE_MS, signal, call) };

const inMemory: OpenStore = (clock) => openMemoryStore({ clock });

/** The whole app over a store, on its own port. */
export class Api {
  private constructor(
    readonly server: http.Server,
    readonly application: Application,
    readonly store: ServedStore,
    readonly clock: StandingClock,
    readonly logLines: string[],
    /** The clock of the rate limits. */
    readonly evenClock: StandingClock,
  ) {}

  static readonly #open = new Set<Api>();
  readonly #agent = new http.Agent({ keepAlive: true });

  /** Closes everything that tests have left open, even after a failure. @param kept what later tests use, too */
  static async closeAll(kept: Api | null = null): Promise<void> {
    await Promise.all([...Api.#open].map((api) => api === kept || api.close()));
  }

  static async open({
    records = [],
    openStore = inMemory,
    approved = approving('acme/widget'),
    readers = (same) => same,
    health = ALWAYS_READY,
    budgetMs,
    storeSlots = 20,
    limits = {},
    rateLimits = null,
    trustProxy = null,
    purgeHeader = 'Surrogate-Key',
    cacheAnswers = true,
    readsAhead = false,
    site = null,
    texts = RENDERER,
  }: ApiOptions = {}): Promise<Api> {
    const clock = new StandingClock(NOW);
    const store = await openStore(clock);
    await store.writer.put(records, { signal: new AbortController().signal });
    const logLines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => logLines.push(line) });
    const evenClock = new StandingClock(0);
    const common = { basePath: '', publicUrl: PUBLIC_URL, requestBudgetMs: budgetMs ?? PATIENCE_MS, storeSlots, purgeHeader };
    const application = createApplication({
      readers: readers(store.readers),
      changeFeed: store.changeFeed,
      health,
      approved,
      ...{ ...common, cacheAnswers, readsAhead, limits: rateLimits, trustProxy, site },
      logger,
      clock,
      evenClock,
      deadlines: budgetMs === undefined ? patient : undefined,
      texts,
    });
    const server = new HttpServer({ limits: { stallMs: PATIENCE_MS, ...limits } }).answerWith(application.requests);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    application.begin();
    const api = new Api(server, application, store, clock, logLines, evenClock);
    Api.#open.add(api);
    return api;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Throws if the response violates the OpenAPI document. */
  get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', target, headers);
  }

  /** Sends any method, with exactly this target. */
  async send(method: string, target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return checked(await sendRaw({ agent: this.#agent, port: this.port, method, path: target, headers }));
  }

  async close(): Promise<void> {
    if (!Api.#open.delete(this)) return;
    this.#agent.destroy();
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
    await this.application.close();
    await this.store.close();
  }
}

export function approving(...fullNames: readonly string[]): ApprovedSource {
  const approved = Allowlist.of(...fullNames).approved();
  return { current: () => approved };
}

function checked(received: Received): Answer {
  const found = contractViolations(received);
  if (found.length > 0) throw new Error(found.join('\n'));
  return { ...received, json: String(received.headers['content-type']).includes('json') && received.body !== '' ? JSON.parse(received.body) : null };
}

function decoded(bytes: Buffer, coding: string | undefined): string {
  if (coding === undefined) return bytes.toString();
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
}

function sendRaw(options: { readonly method: string; readonly path: string } & http.RequestOptions): Promise<Received> {
  const { method, path: target } = options;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ ...options, host: '127.0.0.1' }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const isEmpty = method === 'HEAD' || status === 304;
      response
        .toArray()
        .then((chunks: Buffer[]) => Buffer.concat(chunks))
        .then((bytes) => (isEmpty ? bytes.toString() : decoded(bytes, headers['content-encoding'])))
        .then((body) => {
          resolve({ method, target, status, headers, body });
        })
        .catch(reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
