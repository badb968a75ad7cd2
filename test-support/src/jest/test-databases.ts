import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { emptied } from './emptied.ts';

/** Creates the collections and indexes of a database, such as `initStore` of the store. */
export type Prepare = (db: Db, options: { readonly clock: { readonly now: () => number } }) => Promise<unknown>;

/** The names of prepared databases that earlier suites of this worker no longer use. */
const unused = new Map<Prepare, string[]>();

/** The databases of one suite on the shared server. */
export class TestDatabases {
  /** The connection string of the server. */
  readonly uri: string;
  readonly #endsWithRun: boolean;
  readonly #clients: MongoClient[] = [];
  readonly #databases = new Map<Db, Prepare | null>();
  #plainClient: Promise<MongoClient> | null = null;

  /** @param endsWithRun whether the server is removed after this run, so that later suites may use what this one has prepared */
  constructor(uri: string, endsWithRun = false) {
    this.uri = uri;
    this.#endsWithRun = endsWithRun;
  }

  /** The connection string with the given database name. */
  uriOf(database: string): string {
    return this.uri.replace(/^(\w+(?:\+srv)?:\/\/[^/?]+)[^?]*/u, `$1/${database}`);
  }

  /** A new database, without collections. It is dropped at the end of the suite. @param options of its client */
  async database(options?: MongoClientOptions): Promise<Db> {
    const database = (await this.#client(options)).db(`vitrine_test_${randomUUID().slice(0, 13)}`);
    this.#databases.set(database, null);
    return database;
  }

  /**
   * An empty database with all collections and indexes. To create them takes far longer than to empty them, so it may be one that an earlier suite has used. Use
   * `database` instead if a suite changes collections or indexes, or stores lists in indexed fields.
   * @param options of its client
   */
  async prepared(prepare: Prepare, options?: MongoClientOptions): Promise<Db> {
    const name = unused.get(prepare)?.pop();
    const database = name === undefined ? await this.database(options) : (await this.#client(options)).db(name);
    await (name === undefined ? prepare(database, { clock: Date }) : emptied(database));
    this.#databases.set(database, prepare);
    return database;
  }

  /** A separate client, for a suite that monitors commands or sets a read preference. */
  async connect(options: MongoClientOptions = {}): Promise<MongoClient> {
    const client = await new MongoClient(this.uri, options).connect();
    this.#clients.push(client);
    return client;
  }

  /** Leaves prepared databases to later suites, and drops all others. */
  async release(): Promise<void> {
    for (const [database, prepare] of this.#databases)
      if (prepare === null || !this.#endsWithRun) await database.dropDatabase();
      else unused.set(prepare, [...(unused.get(prepare) ?? []), database.databaseName]);
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  #client(options?: MongoClientOptions): Promise<MongoClient> {
    if (options !== undefined) return this.connect(options);
    this.#plainClient ??= this.connect();
    return this.#plainClient;
  }
}
