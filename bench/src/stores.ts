import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { MongoClient, type Db } from 'mongodb';
import { openSqliteStore, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import {
  Allowlist,
  FreshnessJudge,
  RepositoryGate,
  ScopedRecords,
  Search,
  ServiceBoard,
  type Deadlines,
  type PlainRecord,
  type RepositoryRef,
  type StoreReaders,
  type UseCaseContext,
} from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { findMongod, until } from '@vitrine/test-support';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { DOCUMENTS, type DocumentSpec } from '../../packages/adapters-mongo/dist/documents/documents.js';
import { COMMITS } from './measure.js';
import { root, serveModule, type Served } from './processes.js';
import { checksOf, quietRefs, repositoryRecords, services, worldCommits } from './world.js';

/** Stores stay in the cache, because filling takes far longer than measuring. Choose another name if the content changes. */
const CACHE = join(root, '.cache');
const BATCH = 1_000;

export const clock = { now: () => NOW };

export function contextOf(refs: readonly RepositoryRef[]): UseCaseContext {
  return { approved: Allowlist.of(...refs).approved(), signal: new AbortController().signal };
}

/** The folder of a SQLite store. Its file is read into the memory of the operating system. Otherwise, how fast a disk is would decide the figures. */
export async function filledFolder(name: string, fill: (store: OpenSqliteStore) => Promise<void>): Promise<string> {
  const path = join(CACHE, 'bench-sqlite', name);
  const mark = join(path, 'filled');
  if (!existsSync(mark)) {
    process.stderr.write(`filling ${name} ...\n`);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(join(path, '..'), { recursive: true });
    const store = await openSqliteStore({ clock, path });
    await fill(store);
    await store.close();
    writeFileSync(mark, '');
  }
  await finished(createReadStream(join(path, 'vitrine.db')).resume());
  return path;
}

/** The folder of a store with the commits, services and checks of the world. Its search finds the commits of the quiet repositories. */
export function worldFolder(): Promise<string> {
  return filledFolder(`world_2-${String(COMMITS)}`, async (store) => {
    await putCommits(store, COMMITS);
    for (const [index, service] of services.entries()) {
      await store.writer.put([service], contextOf([]));
      await store.writer.put(checksOf(index), contextOf([]));
    }
  });
}

export async function putCommits({ writer }: OpenSqliteStore, count: number): Promise<void> {
  const context = contextOf(quietRefs);
  await writer.indexFor(context.approved, context);
  await writer.put(repositoryRecords, context);
  for (let start = 0; start < count; start += BATCH) await writer.put(worldCommits(start, Math.min(BATCH, count - start)), context);
}

export function sharedParts(readers: StoreReaders) {
  const gate = new RepositoryGate(readers.repositories, { refused: () => undefined });
  const freshness = new FreshnessJudge(readers.syncs, clock);
  return { gate, freshness, records: new ScopedRecords(gate, freshness, clock) };
}

/** No deadlines, because nothing waits long here. */
const noDeadlines: Deadlines = { run: (_milliseconds, signal, call) => call(signal) };

export function searchOver(readers: StoreReaders): Search {
  const { gate, freshness } = sharedParts(readers);
  const board = new ServiceBoard(readers.checks, { deadlines: noDeadlines });
  return new Search({ readers, board, gate, freshness, deadlines: noDeadlines, clock });
}

export type ServedStore = { readonly approved: readonly string[] } & (
  | { readonly store: 'sqlite'; readonly path: string }
  | { readonly store: 'mongo'; readonly uri: string; readonly database: string }
  | { readonly store: 'memory' }
);

export const serveStore = (store: ServedStore): Promise<Served> => serveModule('store-server.js', [JSON.stringify(store), String(NOW)]);

const PORT = 27_491;
const URI = `mongodb://127.0.0.1:${String(PORT)}/?directConnection=true`;

/** Calls a function with a replica set of one member, which ends afterwards. */
export async function withMongod<Result>(use: (client: MongoClient, uri: string) => Promise<Result>): Promise<Result> {
  const folder = join(CACHE, 'bench-mongod');
  mkdirSync(folder, { recursive: true });
  const log = join(folder, 'mongod.log');
  rmSync(log, { force: true });
  const flags = ['--dbpath', folder, '--port', String(PORT), '--bind_ip', '127.0.0.1', '--replSet', 'bench', '--oplogSize', '990'];
  const server = spawn(await findMongod(), [...flags, '--logpath', log], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  await until(() => {
    if (server.exitCode !== null) throw new Error(`mongod did not start; see ${log}`);
    return existsSync(log) && readFileSync(log, 'utf8').includes('"msg":"Waiting for connections"');
  });
  const client = await new MongoClient(URI, { maxPoolSize: 20 }).connect();
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host: `127.0.0.1:${String(PORT)}` }];
    // Data of an earlier run have their members already.
    await admin.command({ replSetInitiate: { _id: 'bench', members } }).catch(() => undefined);
    await until(async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true);
    return await use(client, URI);
  } finally {
    await client.close();
    server.kill('SIGTERM');
    await ended;
  }
}

export async function filledDatabase(client: MongoClient, name: string, fill: (db: Db) => Promise<void>): Promise<Db> {
  const db = client.db(name);
  const mark = db.collection('bench_filled');
  if ((await mark.countDocuments()) > 0) return db;
  process.stderr.write(`filling ${name} ...\n`);
  await db.dropDatabase();
  await fill(db);
  await mark.insertOne({ at: new Date() });
  return db;
}

/** Inserts records of one kind past the writer, which takes far longer. */
export async function insert(db: Db, records: readonly PlainRecord[]): Promise<void> {
  const spec = DOCUMENTS[records[0]?.kind ?? 'commit'] as DocumentSpec;
  const documents = records.map((record) => spec.toDocument(record));
  await new Collections(db).writable(spec.collection).insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
}
