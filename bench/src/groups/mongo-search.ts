import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { PlainRecord, RecordWriter } from '@vitrine/core';
import { aFinding, aMission, anArticle, aRelease, aService, NOW, someNews } from '@vitrine/core/testing';
import { createMongoWriters, initStore } from '@vitrine/adapters-mongo';
import { atMost, COMMITS, elementOf, mustBe, percentile, SIZE, timeOnce, withFolder, type Figure } from '../measure.js';
import { serveVitrine, type Served } from '../processes.js';
import { searchQuestions } from '../search-questions.js';
import { clock, filledDatabase, insert, withMongod } from '../stores.js';
import { jsonOf, type ApiList } from '../wire.js';
import { busyRefs, repositoryRecords, vocabulary, worldCommits } from '../world.js';

const OTHERS = 4_000;
const BATCH = 1_000;
const WRITES = 100;
const QUESTIONS = 330;
const LONGEST_MS = 30 * 60_000;
const context = { signal: new AbortController().signal };

const refAt = (serial: number) => elementOf(busyRefs, serial % busyRefs.length);
const titleAt = (serial: number) => elementOf(vocabulary, serial);
const timeAt = (serial: number) => NOW - serial * 3_600_000;
const OTHER_KINDS: readonly ((serial: number) => PlainRecord)[] = [
  (n) => aRelease({ repositoryRef: refAt(n), tagName: `v${n}`, id: `${refAt(n)}@v${n}`, name: titleAt(n), publishedAt: timeAt(n) }),
  (n) => aFinding({ repositoryRef: refAt(n), id: `fnd_${n}`, title: titleAt(n), detectedAt: timeAt(n) }),
  (n) => aMission({ repositoryRef: refAt(n), id: `msn_${n}`, title: titleAt(n), createdAt: timeAt(n) }),
  (n) => anArticle({ repositoryRef: refAt(n), id: `art_${n}`, title: titleAt(n), publishedAt: timeAt(n) }),
  (n) => someNews({ id: `nws_${n}`, title: titleAt(n), listedAt: timeAt(n) }),
  (n) => aService({ key: `acme:${n}`, displayName: titleAt(n) }),
];

export function figures(): Promise<readonly Figure[]> {
  return withMongod((client, uri) =>
    withFolder(async (folder) => {
      const db = await filledDatabase(client, `indexed_${String(COMMITS)}`, fill);
      const config = join(folder, 'vitrine.yaml');
      await writeFile(config, JSON.stringify({ store: 'mongodb', cache: folder, approved: busyRefs, server: { cacheAnswers: false } }));
      const served = { config, mongoUri: uri.replace('/?', `/${db.databaseName}?`) };
      const server = await serveVitrine(served);
      const [before, cpu] = [server.process.residentBytes(), server.process.cpuSeconds()];
      const { seconds, pauses } = await complete(server);
      const [grown, used] = [server.process.residentBytes() - before, server.process.cpuSeconds() - cpu];
      const [found, seen] = [await searches(server), await lags(server, createMongoWriters(db, { clock: Date }).writer)];
      server.process.stop();
      const files = (await readdir(join(folder, 'search'))).map((name) => stat(join(folder, 'search', name)));
      const megabytes = (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 1e6;
      const again = await serveVitrine(served);
      const restart = await complete(again);
      again.process.stop();
      const indexed = (0.46 * COMMITS).toLocaleString('en');
      const others = (OTHER_KINDS.length * OTHERS).toLocaleString('en');
      return [
        atMost(`index of ${indexed} of ${SIZE} commits and ${others} other records beside MongoDB: first fill`, seconds, 's', 150),
        atMost('the same: processor time', used, 's', 150),
        atMost('the same: /livez meanwhile: p99', percentile(pauses, 0.99), 'ms', 30),
        atMost('the same: memory', grown / 1e6, 'MB', 120),
        atMost('the same: on the disk', megabytes, 'MB', 400),
        atMost('the same: complete after a restart', restart.seconds, 's', 1),
        atMost(`${String(QUESTIONS)} different searches over HTTP: p50`, percentile(found, 0.5), 'ms', 3),
        atMost('the same: p95', percentile(found, 0.95), 'ms', 15),
        atMost('a search shows a new, changed or removed record: p99', percentile(seen, 0.99), 'ms', 2_000),
      ];
    }),
  );
}

/** Indexes are created at the end, which is many times faster. */
async function fill(db: Db): Promise<void> {
  await insert(db, repositoryRecords);
  for (let start = 0; start < COMMITS; start += BATCH) await insert(db, worldCommits(start, BATCH));
  for (const make of OTHER_KINDS) await insert(db, [...Array(OTHERS).keys()].map(make));
  await initStore(db, { clock });
}

async function complete({ url }: Served) {
  const [start, pauses] = [performance.now(), [] as number[]];
  for (let asked = 0; performance.now() - start < LONGEST_MS; asked++) {
    const asking = performance.now();
    await jsonOf(`${url}/livez`);
    pauses.push(performance.now() - asking);
    if (asked % 20 === 0 && (await jsonOf<{ readonly search?: string }>(`${url}/readyz`)).search !== 'building')
      return { seconds: (performance.now() - start) / 1_000, pauses };
  }
  throw new Error('the index is not complete');
}

function searches({ url }: Served): Promise<readonly number[]> {
  const questions = searchQuestions(QUESTIONS);
  const ask = (index: number) => jsonOf(`${url}/api/v1/search?q=${encodeURIComponent(elementOf(questions, index).q)}&limit=20`);
  return timeOnce(QUESTIONS, ask, (body) => mustBe('whether the search was incomplete', JSON.stringify(body).includes('SEARCH_INCOMPLETE'), false));
}

/** Milliseconds until a search shows a new record, its other title, and its removal. */
async function lags({ url }: Served, writer: RecordWriter): Promise<readonly number[]> {
  const samples: number[] = [];
  const shown = async (q: string, count: number): Promise<void> => {
    const start = performance.now();
    while ((await jsonOf<ApiList<unknown>>(`${url}/api/v1/search?q=${q}`)).data.length !== count) await sleep(2);
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
