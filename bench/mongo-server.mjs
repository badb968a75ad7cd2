// Serves lists of 20 commits from a database on a free port: by Vitrine, or by a hand-written route with the driver. Sends the port to its parent.
import { createRequire } from 'node:module';
import { buildContainer } from '../apps/http/dist/composition/container.js';
import { tokens } from '../apps/http/dist/composition/tokens.js';
import { createServer } from '../apps/http/dist/http/server.js';
import { Allowlist } from '../packages/core/dist/index.js';
import { NOW } from '../packages/core/dist/testing/index.js';
import { createMongoReaders } from '../packages/adapters-mongo/dist/index.js';
import { approvals } from './mongo-lists.mjs';

const [uri, database, approval, kind] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
const require = createRequire(new URL('../apps/http/package.json', import.meta.url));
const express = require('express');
const pino = require('pino');
const { MongoClient } = createRequire(new URL('../packages/adapters-mongo/package.json', import.meta.url))('mongodb');

const client = await new MongoClient(uri, { readConcern: { level: 'majority' }, maxPoolSize: 20, minPoolSize: 2 }).connect();
const db = client.db(database);
/** Goes on from the moment of the newest records, as in production: what is remembered for a while is looked for again. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };
const refs = approvals[approval];
const approved = Allowlist.of(...refs).approved();

const container = buildContainer({
  readers: createMongoReaders(db, { clock }),
  approved: { current: () => approved },
  settings: { basePath: '', publicUrl: () => 'http://127.0.0.1', requestBudgetMs: 1_500 },
  logger: pino({ enabled: false }),
  clock,
});

const text = (date) => (date === null ? null : date.toISOString());

/** What a developer would write for this one page, with the index that serves it. */
function byHand() {
  const hint = refs.length > 200 ? { committedAt: -1, _id: 1, repositoryRef: 1 } : { repositoryRef: 1, committedAt: -1, _id: 1 };
  return express().get('/api/v1/development/commits', async ({ query }, response) => {
    const to = query.to === undefined ? new Date(NOW + 300_000) : new Date(query.to);
    const filter = { repositoryRef: { $in: refs }, committedAt: { $gte: new Date(0), $lte: to } };
    const commits = await db
      .collection('commits')
      .find(filter, { sort: { committedAt: -1, _id: 1 }, limit: 21, batchSize: 21, hint })
      .toArray();
    const page = commits.slice(0, 20);
    const owners = await db
      .collection('repositories')
      .find({ _id: { $in: [...new Set(page.map((commit) => commit.repositoryRef))] } })
      .toArray();
    const byRef = new Map(owners.map((owner) => [owner._id, owner]));
    response.json({ data: page.map((commit) => body(commit, byRef.get(commit.repositoryRef))), meta });
  });
}

function body(commit, repository) {
  const { sha, title, description, authorName, authorLogin, branch, additions, deletions, filesChanged, changeType } = commit;
  const own = { sha, title, description, authorName, authorLogin, branch, additions, deletions, filesChanged, changeType };
  return { ...own, committedAt: text(commit.committedAt), repository: repositoryBody(repository), provenance: provenance(commit.provenance) };
}

function repositoryBody({ fullName, owner, name, defaultBranch, lastSyncedAt, provenance: from }) {
  const own = { fullName, owner, name, defaultBranch, lastSyncedAt: text(lastSyncedAt), latestActivityAt: null, latestRelease: null };
  return { ...own, provenance: provenance(from) };
}

function provenance({ source, sourceKind, sourceUrl, observedAt, confidence, isOfficialSource }) {
  return { source, sourceKind, sourceUrl, observedAt: text(observedAt), confidence, isOfficialSource };
}

/** The rest of Vitrine's answer, so that both send the same bytes. */
let meta = null;
const options = { lifecycle: container.get(tokens.lifecycle), log: container.get(tokens.requestLog) };
const vitrine = createServer(container.get(tokens.app), options).listen(0, '127.0.0.1', async () => {
  if (kind === 'vitrine') {
    process.send({ port: vitrine.address().port });
    return;
  }
  ({ meta } = await (await fetch(`http://127.0.0.1:${vitrine.address().port}/api/v1/development/commits`)).json());
  vitrine.close();
  const server = createServer(byHand(), options).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
container.get(tokens.lifecycle).ready?.();
