import { randomUUID } from 'node:crypto';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';

/** Databases of one suite on the server that all suites share; dropped when the suite is over. */
export class TestDatabases {
  /** The connection string of the server. */
  readonly uri: string;
  readonly #clients: MongoClient[] = [];
  readonly #databases: Db[] = [];

  constructor(uri: string) {
    this.uri = uri;
  }

  /** The connection string, whatever its form, with the name of a database in it. */
  uriOf(database: string): string {
    return this.uri.replace(/^(\w+(?:\+srv)?:\/\/[^/?]+)[^?]*/u, `$1/${database}`);
  }

  /** An empty database that no other suite sees. */
  async database(options: MongoClientOptions = {}): Promise<Db> {
    const client = await this.connect(options);
    const database = client.db(`vitrine_test_${randomUUID().slice(0, 13)}`);
    this.#databases.push(database);
    return database;
  }

  /** A client of its own, for a suite that watches commands or sets a read preference. */
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
