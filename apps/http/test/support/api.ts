import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, type RecordStore, type StoredRecord, type StoreReaders } from '@vitrine/core';
import { StandingClock, type OpenStore } from '@vitrine/core/testing';
import type { Container } from 'inversify';
import { pino } from 'pino';
import request from 'supertest';
import { buildContainer } from '../../src/composition/container.js';
import { tokens } from '../../src/composition/tokens.js';
import type { ApprovedSource } from '../../src/http/approved-source.js';
import type { ConnectionLimits } from '../../src/http/connections.js';
import type { PurgeHeader } from '../../src/http/headers.js';
import { createServer } from '../../src/http/server.js';
import { ALWAYS_READY, type StoreHealth } from '../../src/resilience/store-health.js';
import { contractViolations, type Received } from './contract.js';
import { NOW, PUBLIC_URL } from './small-world.js';

export interface ApiOptions {
  readonly records?: readonly StoredRecord[];
  /** Default: a store in memory. */
  readonly openStore?: OpenStore;
  readonly approved?: ApprovedSource;
  readonly readers?: (readers: StoreReaders) => StoreReaders;
  readonly health?: StoreHealth;
  readonly budgetMs?: number;
  readonly storeSlots?: number;
  readonly limits?: Partial<ConnectionLimits>;
  /** On by default, so that every suite sees what it tells. */
  readonly purgeHeader?: PurgeHeader | null;
}

export interface Answer extends Received {
  readonly json: unknown;
}

const inMemory: OpenStore = (clock) => openMemoryStore({ clock });

/** The whole app over a store, on a port of its own. */
export class Api {
  private constructor(
    readonly server: http.Server,
    readonly container: Container,
    readonly store: RecordStore,
    readonly clock: StandingClock,
    readonly logLines: string[],
  ) {}

  static readonly #open = new Set<Api>();
  readonly #agent = new http.Agent({ keepAlive: true });

  /** Ends whatever a test has left open, also one that failed. */
  static async closeAll(): Promise<void> {
    await Promise.all([...Api.#open].map((api) => api.close()));
  }

  static async open({
    records = [],
    openStore = inMemory,
    approved = approving('acme/widget'),
    readers = (same) => same,
    health = ALWAYS_READY,
    budgetMs = 1_500,
    storeSlots = 20,
    limits = {},
    purgeHeader = 'Surrogate-Key',
  }: ApiOptions = {}): Promise<Api> {
    const clock = new StandingClock(NOW);
    const store = await openStore(clock);
    await store.writer.put(records, { signal: new AbortController().signal });
    const logLines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => logLines.push(line) });
    const settings = { basePath: '', publicUrl: () => PUBLIC_URL, requestBudgetMs: budgetMs, storeSlots, purgeHeader };
    const container = buildContainer({ readers: readers(store.readers), health, approved, settings, logger, clock });
    const lifecycle = container.get(tokens.lifecycle);
    const server = createServer(container.get(tokens.app), { lifecycle, log: container.get(tokens.requestLog), limits });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    lifecycle.ready();
    const api = new Api(server, container, store, clock, logLines);
    Api.#open.add(api);
    return api;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** GET with an address as a client's library sends it. The answer has kept the contract, or this throws. */
  async get(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await request(this.server)
      .get(target)
      .set(headers)
      .redirects(0)
      .buffer(true)
      .parse((own, done) => asText(own as unknown as NodeJS.ReadableStream, done));
    const { status } = response;
    return checked({ method: 'GET', target, status, headers: response.headers as Received['headers'], body: response.body as string });
  }

  /** Any method, with the target exactly as it stands here. */
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

function asText(response: NodeJS.ReadableStream, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  response.on('end', () => done(null, Buffer.concat(chunks).toString()));
}

function sendRaw(options: { readonly method: string; readonly path: string } & http.RequestOptions): Promise<Received> {
  const { method, path: target } = options;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({ ...options, host: '127.0.0.1' }, (response) => {
      asText(response, (_error, body) => resolve({ method, target, status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
