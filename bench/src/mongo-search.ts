import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { PlainRecord, RecordWriter } from '@vitrine/core';
import { aFinding, aMission, anArticle, aRelease, aService, NOW, someNews } from '@vitrine/core/testing';
import { createMongoWriters, initStore } from '@vitrine/adapters-mongo';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { DOCUMENTS, type DocumentSpec } from '../../packages/adapters-mongo/dist/documents/documents.js';
import { elementOf } from './element-of.js';
import { atMost, percentile, type Figure } from './measure.js';
import { clock } from './memory-world.js';
import { benchMongod, filled } from './mongod.js';
import { searchQueries } from './search-queries.js';
import { vocabulary } from './search-world.js';
import { busyRefs, repositoryRecords, worldCommit } from './sqlite-world.js';
import { spawnVitrine, type VitrineProcess } from './vitrine-process.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const OTHERS = 4_000;
const BATCH = 1_000;
const WRITES = 100;
const LONGEST_MS = 30 * 60_000;
const context = { signal: new AbortController().signal };

const refOf = (serial: number) => elementOf(busyRefs, serial % busyRefs.length);
const titleOf = (serial: number) => elementOf(vocabulary, serial);
const timeOf = (serial: number) => NOW - serial * 3_600_000;
const OTHER_KINDS: readonly ((serial: number) => PlainRecord)[] = [
  (n) => aRelease({ repositoryRef: refOf(n), tagName: `v${n}`, id: `${refOf(n)}@v${n}`, name: titleOf(n), publishedAt: timeOf(n) }),
  (n) => aFinding({ repositoryRef: refOf(n), id: `fnd_${n}`, title: titleOf(n), detectedAt: timeOf(n) }),
  (n) => aMission({ repositoryRef: refOf(n), id: `msn_${n}`, title: titleOf(n), createdAt: timeOf(n) }),
  (n) => anArticle({ repositoryRef: refOf(n), id: `art_${n}`, title: titleOf(n), publishedAt: timeOf(n) }),
  (n) => someNews({ id: `nws_${n}`, title: titleOf(n), listedAt: timeOf(n) }),
  (n) => aService({ key: `acme:${n}`, displayName: titleOf(n) }),
];

/** Indexes are created at the end, which is many times faster. */
async function fill(db: Db): Promise<void> {
  const insert = async (kind: PlainRecord['kind'], records: readonly PlainRecord[]) => {
    const spec = DOCUMENTS[kind] as DocumentSpec;
    await new Collections(db).writable(spec.collection).insertMany(records.map((record) => spec.toDocument(record)));
  };
  await insert('repository', repositoryRecords);
  for (let at = 0; at < COMMITS; at += BATCH)
    await insert(
      'commit',
      Array.from({ length: BATCH }, (_, index) => worldCommit(at + index)),
    );
  for (const make of OTHER_KINDS) {
    const records = Array.from({ length: OTHERS }, (_, serial) => make(serial));
    await insert(records[0]?.kind ?? 'news', records);
  }
  await initStore(db, { clock });
}

async function get(server: VitrineProcess, path: string) {
  const response = await fetch(server.url + path);
  return { status: response.status, body: (await response.json()) as { readonly search?: string; readonly data?: readonly object[] } };
}

/** Until the index is complete: seconds, and milliseconds of requests to /livez meanwhile. */
async function complete(server: VitrineProcess) {
  await server.ready();
  const [start, pauses] = [performance.now(), [] as number[]];
  for (let asked = 0; performance.now() - start < LONGEST_MS; asked++) {
    const from = performance.now();
    await get(server, '/livez');
    pauses.push(performance.now() - from);
    if (asked % 20 === 0 && (await get(server, '/readyz')).body.search !== 'building')
      return { seconds: (performance.now() - start) / 1_000, pauses };
    await sleep(5);
  }
  throw new Error('the index is not complete');
}

/** Milliseconds until a search shows a new record, its other title, and its removal. */
async function lags(server: VitrineProcess, writer: RecordWriter): Promise<readonly number[]> {
  const samples: number[] = [];
  const shown = async (q: string, count: number): Promise<void> => {
    const start = performance.now();
    while ((await get(server, `/api/v1/search?q=${q}`)).body.data?.length !== count) await sleep(2);
    samples.push(performance.now() - start);
  };
  for (let serial = 0; serial < WRITES; serial++) {
    const record = aFinding({ repositoryRef: elementOf(busyRefs, 0), id: `fnd_new${String(serial)}`, title: `seenfirst${String(serial)}` });
    await writer.put([record], context);
    await shown(record.title, 1);
    await writer.put([{ ...record, title: `seenthen${String(serial)}` }], context);
    await shown(`seenthen${String(serial)}`, 1);
    await writer.remove([record], context);
    await shown(`seenthen${String(serial)}`, 0);
  }
  return samples;
}

async function searches(server: VitrineProcess): Promise<readonly number[]> {
  const samples: number[] = [];
  for (const { q } of searchQueries) {
    const start = performance.now();
    const { status, body } = await get(server, `/api/v1/search?q=${encodeURIComponent(q)}&limit=20`);
    samples.push(performance.now() - start);
    mustBe(`search for "${q}"`, [status, JSON.stringify(body).includes('SEARCH_INCOMPLETE')], [200, false]);
  }
  return samples;
}

export async function mongoSearchFigures(): Promise<readonly Figure[]> {
  const [{ client, uri, stop }, folder] = [await benchMongod(), await mkdtemp(join(tmpdir(), 'vitrine-bench-index-'))];
  const config = join(folder, 'vitrine.yaml');
  try {
    const db = await filled(client, 'indexed_2', fill);
    await writeFile(config, JSON.stringify({ store: 'mongodb', cache: folder, approved: busyRefs, server: { cacheAnswers: false } }));
    const served = { config, mongoUri: uri.replace('/?', `/${db.databaseName}?`) };
    const server = await spawnVitrine(served);
    await server.ready();
    const [before, cpu] = [server.residentBytes(), server.cpuSeconds()];
    const { seconds, pauses } = await complete(server);
    const [grown, used] = [server.residentBytes() - before, server.cpuSeconds() - cpu];
    const [found, seen] = [await searches(server), await lags(server, createMongoWriters(db, { clock: Date }).writer)];
    server.stop();
    const files = (await readdir(join(folder, 'search'))).map((name) => stat(join(folder, 'search', name)));
    const megabytes = (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 1e6;
    const again = await spawnVitrine(served);
    const restart = await complete(again);
    again.stop();
    return [
      atMost('index of 460,000 of 1,000,000 commits and 24,000 other records beside MongoDB: first fill', seconds, 's', 150),
      atMost('the same: processor time', used, 's', 150),
      atMost('the same: /livez meanwhile: p99', percentile(pauses, 0.99), 'ms', 30),
      atMost('the same: memory', grown / 1e6, 'MB', 120),
      atMost('the same: on the disk', megabytes, 'MB', 400),
      atMost('the same: complete after a restart', restart.seconds, 's', 1),
      atMost(`${String(found.length)} different searches over HTTP: p50`, percentile(found, 0.5), 'ms', 3),
      atMost('the same: p95', percentile(found, 0.95), 'ms', 15),
      atMost('a search shows a new, changed or removed record: p99', percentile(seen, 0.99), 'ms', 2_000),
    ];
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}
