// Serves a store on a free port, as the app does but without kept answers. Loads only what this store needs, because start and memory are measured. See `serveStore`.
import { Allowlist } from '@vitrine/core';
import { createVitrineHandler, type VitrineHandlerOptions } from '../../apps/http/dist/index.js';
import { answerParent } from './processes.js';
import type { ServedStore } from './stores.js';
import { listen } from './wire.js';

const [stored = '', newest] = process.argv.slice(2);
const asked = JSON.parse(stored) as ServedStore;
/** The time continues from that of the newest records, as in production, so that what is kept expires. */
const clock = { now: () => Number(newest) + Math.trunc(performance.now()) };

async function opened(): Promise<VitrineHandlerOptions['store']> {
  if (asked.store === 'sqlite') return (await import('@vitrine/adapters-sqlite')).openSqliteStore({ clock, path: asked.path });
  return asked.store === 'memory' ? openedMemory() : openedMongo(asked.uri, asked.database);
}

async function openedMongo(uri: string, database: string): Promise<VitrineHandlerOptions['store']> {
  const [{ MongoClient }, { createMongoChangeFeed, createMongoReaders }] = await Promise.all([import('mongodb'), import('@vitrine/adapters-mongo')]);
  const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
  const db = client.db(database);
  const changeFeed = createMongoChangeFeed(db, { clock });
  // No benchmark of this server searches in MongoDB.
  const search = { search: () => Promise.reject(new Error('no search')) };
  return { readers: { ...createMongoReaders(db, { clock, changeFeed }), search }, changeFeed };
}

/** One page of a list, read in no time: only the work of the server is measured. */
async function openedMemory(): Promise<VitrineHandlerOptions['store']> {
  const [{ openMemoryStore }, { repositoryRecords, worldCommits }] = await Promise.all([import('@vitrine/adapters-memory'), import('./world.js')]);
  const store = await openMemoryStore({ clock });
  await store.writer.put([...repositoryRecords, ...worldCommits(0, 20)], { signal: new AbortController().signal });
  return store;
}

const approved = Allowlist.of(...asked.approved).approved();
const handler = createVitrineHandler({
  store: await opened(),
  approved: () => approved,
  ...{ clock, publicUrl: 'http://127.0.0.1', cacheAnswers: false, site: {} },
});
const { port } = await listen(handler);
answerParent({ port }, { stays: true });
