import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';

/** The databases of one suite on the shared server. They are dropped at the end of the suite. */
export class TestDatabases {
  /** The connection string of the server. */
  readonly uri: string;
  readonly #clients: MongoClient[] = [];
  readonly #databases: Db[] = [];

  constructor(uri: string) {
    this.uri = uri;
  }

  /** The connection string with the given database name. */
  uriOf(database: string): string {
    return this.uri.replace(/^(\w+(?:\+srv)?:\/\/[^/?]+)[^?]*/u, `$1/${database}`);
  }

  /** An empty database for this suite only. */
  async database(options: MongoClientOptions = {}): Promise<Db> {
    const client = await this.connect(options);
    const database = client.db(`vitrine_test_${randomUUID().slice(0, 13)}`);
    this.#databases.push(database);
    return database;
  }

  /** A separate client, for a suite that monitors commands or sets a read preference. */
  async connect(options: MongoClientOptions = {}): Promise<MongoClient> {
    const client = await new MongoClient(this.uri, options).connect();
    this.#clients.push(client);
    return client;
  }

  async drop(): Promise<void> {
    await Promise.all(this.#databases.map((database) => database.dropDatabase()));
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
