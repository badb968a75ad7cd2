// Serves one list of 20 commits on a free port: by Vitrine, or by a hand-written handler on the same server. Sends the port to its parent.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import pino from 'pino';
import { Allowlist } from '@vitrine/core';
import { aRepositoryRecord } from '@vitrine/core/testing';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { buildContainer } from '../../apps/http/dist/composition/container.js';
import { tokens } from '../../apps/http/dist/composition/tokens.js';
import { createServer } from '../../apps/http/dist/http/server.js';
import { answerParent } from './child-process.js';
import { busyCommit, clock, refs } from './memory-world.js';

const COMMITS = 5_000;
const PATH = '/api/v1/development/commits';

const store = await openMemoryStore({ clock });
const context = { signal: new AbortController().signal };
await store.writer.put(
  refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
  context,
);
await store.writer.put(
  Array.from({ length: COMMITS }, (_, serial) => busyCommit(serial)),
  context,
);
const approved = Allowlist.of(...refs).approved();
const container = buildContainer({
  readers: store.readers,
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

/** Sends the data that Vitrine sends, without any work for it. */
async function handWritten(): Promise<Express> {
  const server = await listening(container.get(tokens.app));
  const { data, meta } = (await (await fetch(`http://127.0.0.1:${String(portOf(server))}${PATH}`)).json()) as Record<'data' | 'meta', unknown>;
  server.close();
  return express().get(PATH, (_request, response) => {
    response.json({ data, meta });
  });
}

const server = await listening(process.argv[2] === 'by-hand' ? await handWritten() : container.get(tokens.app));
answerParent({ port: portOf(server) }, { stays: true });
