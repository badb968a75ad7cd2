import { MongoClient, type MongoClientOptions } from 'mongodb';
import { GuardedServer } from '../servers/guarded-server.ts';
import { MongodProcess } from '../servers/mongod-process.ts';
import { ReplicaSet } from '../servers/replica-set.ts';
import { TcpProxy } from '../proxy/tcp-proxy.ts';
import { TestDatabases } from './test-databases.ts';

/** Servers that a suite starts for itself, so that it affects no other suite. All are ended at the end of the suite. */
export class TestServers {
  readonly #binary: string;
  readonly #shared: string | null;
  readonly #proxies: TcpProxy[] = [];
  readonly #endings: (() => Promise<void>)[] = [];

  /** @param shared the connection string of the server that all suites share, if this run has started it */
  constructor(binary: string, shared: string | null) {
    this.#binary = binary;
    this.#shared = shared;
  }

  /** Databases on a server of this machine, for a suite that puts a proxy before it: the server that all suites share, or else a new one. */
  async databases(): Promise<TestDatabases> {
    const databases = new TestDatabases(this.#shared ?? (await this.single()).uri, this.#shared !== null);
    return this.#ended(databases, () => databases.release());
  }

  /** A server that belongs to no replica set. Vitrine refuses it. */
  async standalone(): Promise<MongodProcess> {
    return this.#ended(await MongodProcess.start(this.#binary), (server) => server.stop());
  }

  /** The only member of a replica set, without access control. @param extra more arguments of mongod */
  async single(extra: readonly string[] = []): Promise<MongodProcess> {
    const [only] = this.#ended(await ReplicaSet.start(this.#binary, 1, extra), (set) => set.stop()).members;
    if (only === undefined) throw new Error('a replica set has at least one member');
    return only;
  }

  /** A replica set with a primary, of three members by default; takes about three seconds. */
  async replicaSet(size = 3): Promise<ReplicaSet> {
    return this.#ended(await ReplicaSet.start(this.#binary, size), (set) => set.stop());
  }

  /** One server with access control. @param database the only database that its users may access */
  async guarded(database: string): Promise<GuardedServer> {
    return this.#ended(await GuardedServer.start(this.#binary, database), (server) => server.stop());
  }

  /** @param port the port of a server on loopback */
  async proxy(port: number): Promise<TcpProxy> {
    const proxy = await TcpProxy.to(port);
    this.#proxies.push(proxy);
    return this.#ended(proxy, () => proxy.close());
  }

  /** A client that is closed before its server is ended. */
  async connect(uri: string, options: MongoClientOptions = {}): Promise<MongoClient> {
    return this.#ended(await new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, ...options }).connect(), (client) => client.close());
  }

  async end(): Promise<void> {
    // A client sends a last message when it closes, and waits for the server.
    for (const proxy of this.#proxies) proxy.heal();
    for (const end of this.#endings.reverse()) await end();
  }

  #ended<T>(thing: T, end: (thing: T) => Promise<void>): T {
    this.#endings.push(() => end(thing));
    return thing;
  }
}
