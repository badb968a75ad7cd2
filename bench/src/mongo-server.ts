// Serves lists of 20 commits from a database on a free port: by Vitrine, or by a hand-written route with the driver. Sends the port to its parent.
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
/** Goes on from the moment of the newest records, as in production: what is remembered for a while is looked for again. */
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

/** A route with the rest of Vitrine's answer, so that both send the same bytes. */
async function byHand(): Promise<Server> {
  const vitrine = await listening(container.get(tokens.app));
  const url = `http://127.0.0.1:${String(portOf(vitrine))}/api/v1/development/commits`;
  const { meta } = (await (await fetch(url)).json()) as { readonly meta: unknown };
  vitrine.close();
  return listening(express().get('/api/v1/development/commits', handWrittenRoute(db, approval, meta)));
}

answerParent({ port: portOf(kind === 'by-hand' ? await byHand() : await listening(container.get(tokens.app))) }, { stays: true });
