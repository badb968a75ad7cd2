import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { MongodProcess } from './mongod-process.ts';

/** A server with access control, and the connection strings of its users. */
export class GuardedServer {
  readonly process: MongodProcess;
  /** May only read one database. */
  readonly reader: string;
  /** May read and write the same database. */
  readonly writer: string;

  private constructor(process: MongodProcess, reader: string, writer: string) {
    this.process = process;
    this.reader = reader;
    this.writer = writer;
  }

  /** @param database the only database that both users may access; it is in their connection strings */
  static async start(binary: string, database: string): Promise<GuardedServer> {
    const process = await MongodProcess.start(binary, ['--auth']);
    try {
      return await GuardedServer.#furnish(process, database);
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  static async #furnish(process: MongodProcess, database: string): Promise<GuardedServer> {
    const pwd = randomBytes(16).toString('hex');
    // While a server has no users, it allows connections from loopback to create the first one.
    await withClient(process.uri, (client) => client.db('admin').command({ createUser: 'admin', pwd, roles: ['root'] }));
    await withClient(uriOf(process, 'admin', pwd, 'admin'), async (client) => {
      await client.db(database).command({ createUser: 'reader', pwd, roles: ['read'] });
      // The write concern makes sure that the users survive a kill right afterwards.
      await client.db(database).command({ createUser: 'writer', pwd, roles: ['readWrite'], writeConcern: { w: 1, j: true } });
    });
    return new GuardedServer(process, uriOf(process, 'reader', pwd, database), uriOf(process, 'writer', pwd, database));
  }
}

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
