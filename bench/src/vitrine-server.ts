// Serves a store on a free port, as the app does but without kept answers. Sends the port to its parent, which is `serve` in served.ts.
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pino from 'pino';
import { Allowlist, type ChangeFeed, type StoreReaders } from '@vitrine/core';
import { DEFAULT_SITE } from '@vitrine/pages';
import { answerParent } from './child-process.js';
import type { ServedStore } from './served.js';
import { createApplication } from '../../apps/http/dist/composition/application.js';
import { Requests } from '../../apps/http/dist/serving/request.js';
import { HttpServer } from '../../apps/http/dist/serving/server.js';

/** The time continues from that of the newest records, as in production, so that what is kept expires. The module of test records is not loaded. */
const newest = Number(process.argv[3]);
const clock = { now: () => newest + Math.trunc(performance.now()) };
const asked = JSON.parse(process.argv[2] ?? '') as ServedStore;

interface Opened {
  readonly readers: StoreReaders;
  readonly changeFeed: ChangeFeed;
}

/** Only the modules of the served store are loaded, as in the app, because the start of a server is measured, and its memory. */
async function opened(): Promise<Opened> {
  if (asked.store === 'sqlite') return (await import('@vitrine/adapters-sqlite')).openSqliteStore({ clock, path: asked.path });
  return asked.store === 'memory' ? listedInMemory() : openedMongo(asked);
}

async function openedMongo({ uri, database }: Extract<ServedStore, { readonly store: 'mongo' }>): Promise<Opened> {
  const [{ MongoClient }, { createMongoChangeFeed, createMongoReaders }] = await Promise.all([import('mongodb'), import('@vitrine/adapters-mongo')]);
  const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
  const db = client.db(database);
  const changeFeed = createMongoChangeFeed(db, { clock });
  // No benchmark of this server searches in MongoDB.
  const search = { search: () => Promise.reject(new Error('no search')) };
  return { readers: { ...createMongoReaders(db, { clock, changeFeed }), search }, changeFeed };
}

/** One page of a list, read in no time: only the work of the server is measured. */
async function listedInMemory(): Promise<Opened> {
  const [{ openMemoryStore }, { repositoryRecords, worldCommit }] = await Promise.all([
    import('@vitrine/adapters-memory'),
    import('./sqlite-world.js'),
  ]);
  const store = await openMemoryStore({ clock });
  await store.writer.put([...repositoryRecords, ...Array.from({ length: 20 }, (_, serial) => worldCommit(serial))], {
    signal: new AbortController().signal,
  });
  return store;
}

const { readers, changeFeed } = await opened();
const approved = Allowlist.of(...asked.approved).approved();
const application = createApplication({
  readers,
  changeFeed,
  approved: { current: () => approved },
  settings: { basePath: '', publicUrl: 'http://127.0.0.1', requestBudgetMs: 1_500, cacheAnswers: false, site: DEFAULT_SITE },
  logger: pino({ enabled: false }),
  clock,
});
application.begin();
const { requests } = application;

async function listening(app: RequestListener): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new HttpServer({}).answerWith(new Requests({ ...requests.parts, app })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** What a developer writes by hand for the list: the same bytes, from an object that is prepared. */
async function byHand(vitrine: number): Promise<RequestListener> {
  const { LIST_PATH } = await import('./served.js');
  const body: unknown = await (await fetch(`http://127.0.0.1:${String(vitrine)}${LIST_PATH}`)).json();
  return express().get(LIST_PATH, (_request, response) => {
    response.json(body);
  });
}

const { server, port } = await listening(requests.parts.app);
const answering = asked.store === 'memory' && asked.byHand ? (await listening(await byHand(port))).port : port;
if (answering !== port) server.close();
answerParent({ port: answering }, { stays: true });
