import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initStore, openMongoStore } from '@vitrine/adapters-mongo';
import type { StoredRecord } from '@vitrine/core';
import { isTorture, type TestDatabases } from '@vitrine/test-support';
import { ask, type Heard } from './open-loop.js';
import { LocalServer } from './local-server.js';
import { ServerProcess } from './server-process.js';
import { NOW, smallWorld } from './small-world.js';

type Database = Awaited<ReturnType<TestDatabases['database']>>;

/** One address for each way of reading. */
export const KNOWN = [
  '/api/v1/development/commits',
  '/api/v1/repositories/acme/widget',
  '/api/v1/repositories/acme/widget/hub',
  '/api/v1/news',
  '/api/v1/search?q=widget',
  '/api/v1/status',
  '/api/v1/overview',
] as const;

/** Stores the small data set, with times moved to the present. */
export async function fill(db: Database): Promise<void> {
  const clock = { now: () => Date.now() };
  await initStore(db, { clock });
  const store = openMongoStore(db, { clock });
  await store.writer.put(presentWorld(), { signal: new AbortController().signal });
  await store.close();
}

function presentWorld(): readonly StoredRecord[] {
  const age = Date.now() - NOW;
  const moved = (_key: string, value: unknown): unknown => (typeof value === 'number' && value > 1e12 ? value + age : value);
  return JSON.parse(JSON.stringify(smallWorld), moved) as StoredRecord[];
}

/** On a signal, prints the memory in use after a garbage collection, and the number of handles that keep the process alive. */
const PROBE = `process.on('SIGUSR2', () => {
  gc();
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  console.error('HELD ' + JSON.stringify({ bytes: heapUsed + arrayBuffers, handles: process.getActiveResourcesInfo().length }));
});`;
/** Node arguments for a server that can report its resources. */
export const PROBED = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`] as const;

export interface Held {
  readonly bytes: number;
  readonly handles: number;
}

/** Servers that only serve and compute every answer, each with a client. In a torture run, or with arguments for Node, each is a process. */
export class Servers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-served-'));
  readonly #configuration = join(this.#folder, 'vitrine.yaml');
  readonly #started: ServedDatabase[] = [];

  constructor() {
    writeFileSync(this.#configuration, 'store: mongodb\nserver: { cacheAnswers: false }\napproved: [acme/widget]\n');
  }

  /** Resolves when the server listens. */
  async start(uri: string, nodeArgs: readonly string[] = []): Promise<ServedDatabase> {
    const needsProcess = isTorture || nodeArgs.length > 0;
    const [configuration, args] = [this.#configuration, ['--no-collect']];
    const served = new ServedDatabase(
      needsProcess ? new ServerProcess(configuration, uri, args, nodeArgs) : new LocalServer(configuration, uri, args),
    );
    this.#started.push(served);
    await served.listens();
    return served;
  }

  async end(): Promise<void> {
    await Promise.all(this.#started.map((served) => served.end()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** One server, and a client for it. */
export class ServedDatabase {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 });
  #port = 0;
  #serial = 0;

  constructor(readonly process: ServerProcess | LocalServer) {}

  async listens(): Promise<void> {
    this.#port = Number(new URL(await this.process.origin()).port);
  }

  ask(path: string): Promise<Heard> {
    return ask(this.#port, this.#agent, path);
  }

  statuses(...paths: readonly string[]): Promise<readonly number[]> {
    return Promise.all(paths.map((path) => this.ask(path).then(({ status }) => status)));
  }

  /** A new address. Nobody has requested it, so the server has no copy of its response. */
  newAddress(): string {
    this.#serial += 1;
    const name = `s${String(this.#serial)}`;
    return this.#serial % 2 === 0 ? `/api/v1/news?source=${name}` : `/api/v1/development/commits?author=${name}`;
  }

  async ready(): Promise<void> {
    await this.process.eventually('get ready', async () => (await this.ask('/readyz')).status === 200);
  }

  /** The resources that the server uses without any connection. It must have been started with {@link PROBED}. */
  async held(): Promise<Held> {
    this.#agent.destroy();
    const told = (): readonly string[] => this.process.err.match(/(?<=^HELD ).*$/gm) ?? [];
    const before = told().length;
    if (this.process instanceof ServerProcess) this.process.signal('SIGUSR2');
    await this.process.eventually('tell what it holds', () => told().length > before);
    return JSON.parse(told().at(-1) ?? '') as Held;
  }

  async end(): Promise<void> {
    this.#agent.destroy();
    await this.process.stop();
  }
}

export const isStale = ({ body }: Heard): boolean => body.includes('"dataStatus":"stale"');
