import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Db } from 'mongodb';
import { findMongod } from '@vitrine/test-support';

const folder = fileURLToPath(new URL('../../.cache/bench-mongod/', import.meta.url));
const PORT = 27_491;
const URI = `mongodb://127.0.0.1:${String(PORT)}/?directConnection=true`;
const FILLED = 'bench_filled';

/** A server for the benchmarks, and a client of it. */
export interface BenchMongod {
  readonly client: MongoClient;
  readonly uri: string;
  readonly stop: () => Promise<void>;
}

/**
 * A replica set with one member for the benchmarks. Its data are kept in the cache, because filling takes far longer than measuring: the database of an
 * earlier run is used again.
 */
export async function benchMongod(): Promise<BenchMongod> {
  mkdirSync(folder, { recursive: true });
  const log = `${folder}mongod.log`;
  rmSync(log, { force: true });
  const flags = ['--dbpath', folder, '--port', String(PORT), '--bind_ip', '127.0.0.1', '--replSet', 'bench', '--oplogSize', '990'];
  const server = spawn(await findMongod(), [...flags, '--logpath', log], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  const end = () => server.kill('SIGTERM');
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  while (!(existsSync(log) && readFileSync(log, 'utf8').includes('"msg":"Waiting for connections"'))) {
    if (server.exitCode !== null) throw new Error(`mongod did not start; see ${log}`);
    await sleep(100);
  }
  const client = await new MongoClient(URI, { maxPoolSize: 20 }).connect();
  await client
    .db('admin')
    .command({ replSetInitiate: { _id: 'bench', members: [{ _id: 0, host: `127.0.0.1:${String(PORT)}` }] } })
    .catch(() => undefined);
  while (!(await client.db('admin').command({ hello: 1 }))['isWritablePrimary']) await sleep(100);
  return {
    client,
    uri: URI,
    stop: async () => {
      await client.close();
      end();
      await ended;
      process.off('exit', end);
    },
  };
}

/** A database with the given content. Choose another name if the content changes. */
export async function filled(client: MongoClient, name: string, fill: (db: Db) => Promise<void>): Promise<Db> {
  const db = client.db(name);
  const mark = db.collection(FILLED);
  if ((await mark.countDocuments()) > 0) return db;
  process.stderr.write(`filling ${name} ...\n`);
  await db.dropDatabase();
  await fill(db);
  await mark.insertOne({ at: new Date() });
  return db;
}
