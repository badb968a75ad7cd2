import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { MongodProcess } from './mongod-process.ts';

/** A replica set of one member with access control, and the connection strings of its users. */
export class GuardedServer {
  readonly process: MongodProcess;
  /** May only read one database. */
  readonly reader: string;
  /** May read and write the same database. */
  readonly writer: string;

  readonly #folder: string;

  private constructor(process: MongodProcess, reader: string, writer: string, folder: string) {
    this.#folder = folder;
    this.process = process;
    this.reader = reader;
    this.writer = writer;
  }

  /** @param database the only database that both users may access; it is in their connection strings */
  static async start(binary: string, database: string): Promise<GuardedServer> {
    // Members of a set with access control need a common key, also a single one.
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-key-'));
    const key = join(folder, 'key');
    await writeFile(key, randomBytes(48).toString('base64'), { mode: 0o600 });
    const process = await MongodProcess.start(binary, ['--replSet', NAME, '--oplogSize', '64', '--keyFile', key]);
    try {
      return await GuardedServer.#furnish(process, database, folder);
    } catch (error) {
      await process.stop();
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.#folder, { recursive: true });
  }

  static async #furnish(process: MongodProcess, database: string, folder: string): Promise<GuardedServer> {
    const pwd = randomBytes(16).toString('hex');
    // While a server has no users, it allows connections from loopback to create the first one.
    await withClient(process.uri, async (client) => {
      const admin = client.db('admin');
      const config = { _id: NAME, members: [{ _id: 0, host: process.address }], settings: { electionTimeoutMillis: 1_000 } };
      await admin.command({ replSetInitiate: config });
      while ((await admin.command({ hello: 1 }))['isWritablePrimary'] !== true) await sleep(50);
      await admin.command({ createUser: 'admin', pwd, roles: ['root'] });
    });
    await withClient(uriOf(process, 'admin', pwd, 'admin'), async (client) => {
      await client.db(database).command({ createUser: 'reader', pwd, roles: ['read'] });
      // The write concern makes sure that the users survive a kill right afterwards.
      await client.db(database).command({ createUser: 'writer', pwd, roles: ['readWrite'], writeConcern: { w: 1, j: true } });
    });
    return new GuardedServer(process, uriOf(process, 'reader', pwd, database), uriOf(process, 'writer', pwd, database), folder);
  }
}

const NAME = 'guarded';

function uriOf({ address }: MongodProcess, user: string, pwd: string, database: string): string {
  return `mongodb://${user}:${pwd}@${address}/${database}?directConnection=true`;
}

async function withClient(uri: string, use: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}
