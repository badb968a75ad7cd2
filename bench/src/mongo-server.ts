// Serves lists of 20 commits from a database on a free port, with Vitrine or with a hand-written route. Sends the port to its parent.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { MongoClient } from 'mongodb';
import pino from 'pino';
import { Allowlist } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { createMongoReaders } from '@vitrine/adapters-mongo';
import { buildContainer } from '../../apps/http/dist/composition/container.js';
import { tokens } from '../../apps/http/dist/composition/tokens.js';
import { createServer } from '../../apps/http/dist/http/server.js';
import { answerParent } from './child-process.js';
import { approvals } from './mongo-commits.js';
import { handWrittenRoute } from './mongo-hand-written.js';

const [uri = '', database, approval = '', kind] = process.argv.slice(2);
const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
const db = client.db(database);
/** The time continues from that of the newest records, as in production, so that cache entries expire. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };
const approved = Allowlist.of(...(approvals[approval] ?? [])).approved();

const container = buildContainer({
  readers: createMongoReaders(db, { clock }),
  approved: { current: () => approved },
  settings: { basePath: '', publicUrl: () => 'http://127.0.0.1', requestBudgetMs: 1_500 },
  logger: pino({ enabled: false }),
  clock,
});
const options = { lifecycle: container.get(tokens.lifecycle), log: container.get(tokens.requestLog) };
container.get(tokens.lifecycle).ready();

async function listening(app: Express): Promise<Server> {
  const server = createServer(app, options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A route that sends the same bytes as Vitrine. */
async function byHand(): Promise<Server> {
  const vitrine = await listening(container.get(tokens.app));
  const url = `http://127.0.0.1:${String(portOf(vitrine))}/api/v1/development/commits`;
  const { meta } = (await (await fetch(url)).json()) as { readonly meta: unknown };
  vitrine.close();
  return listening(express().get('/api/v1/development/commits', handWrittenRoute(db, approval, meta)));
}

answerParent({ port: portOf(kind === 'by-hand' ? await byHand() : await listening(container.get(tokens.app))) }, { stays: true });
