// Serves one list of 20 commits on a free port: by Vitrine, or by a hand-written handler on the same server. Sends the port to its parent.
import { createRequire } from 'node:module';
import { buildContainer } from '../apps/http/dist/composition/container.js';
import { tokens } from '../apps/http/dist/composition/tokens.js';
import { createServer } from '../apps/http/dist/http/server.js';
import * as core from '../packages/core/dist/index.js';
import { aRepositoryRecord } from '../packages/core/dist/testing/index.js';
import { openMemoryStore } from '../packages/adapters-memory/dist/index.js';
import { busyCommit, refs } from './memory-store.mjs';

const require = createRequire(new URL('../apps/http/package.json', import.meta.url));
const express = require('express');
const pino = require('pino');
const PATH = '/api/v1/development/commits';

const now = busyCommit(0).committedAt;
const clock = { now: () => now };
const store = await openMemoryStore({ clock });
const context = { signal: new AbortController().signal };
await store.writer.put(
  refs.map((repositoryRef) => aRepositoryRecord({ repositoryRef })),
  context,
);
await store.writer.put(
  Array.from({ length: 5_000 }, (_, serial) => busyCommit(serial)),
  context,
);
const approved = new core.Allowlist(refs.map((ref) => ({ ...core.parseRepositoryName(ref), forgeId: null }))).approved();
const container = buildContainer({
  readers: store.readers,
  approved: { current: () => approved },
  settings: { basePath: '', publicUrl: () => 'http://127.0.0.1', requestBudgetMs: 1_500 },
  logger: pino({ enabled: false }),
  clock,
});
const options = { lifecycle: container.get(tokens.lifecycle), log: container.get(tokens.requestLog) };
container.get(tokens.lifecycle).ready?.();

async function handWritten() {
  const server = createServer(container.get(tokens.app), options).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { data, meta } = await (await fetch(`http://127.0.0.1:${String(server.address().port)}${PATH}`)).json();
  server.close();
  return express().get(PATH, (_request, response) => {
    response.json({ data, meta });
  });
}

const app = process.argv[2] === 'by-hand' ? await handWritten() : container.get(tokens.app);
const server = createServer(app, options).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
