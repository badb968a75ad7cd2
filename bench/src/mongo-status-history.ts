import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, MongoClient } from 'mongodb';
import { DAY, MINUTE, type Check } from '@vitrine/core';
import { aCheck, aProvenance, NOW } from '@vitrine/core/testing';
import { createMongoWriters } from '@vitrine/adapters-mongo';
import { atMost, percentile, type Figure } from './measure.js';
import { fillChecks } from './mongo-checks.js';
import { StoredChecks } from './mongo-stored-checks.js';
import { filled } from './mongod.js';
import { serve, type Served } from './served.js';
import { mustBe } from './wrong-answer.js';

const SERVICES = 100;
const DAYS = 400;
const STARTS = 5;
const REQUESTS = 150;
const WARM_UP = 15;
const WRITE_EVERY_MS = 100;
const STATUS = '/api/v1/status';
const SOURCE = 'Acme second probe';
const context = { signal: new AbortController().signal };

interface StatusBody {
  readonly data: {
    readonly services: readonly {
      readonly key: string;
      readonly currentState: string;
      readonly windows: Readonly<Record<string, { readonly checksTracked: number }>>;
    }[];
  };
  readonly meta: { readonly generatedAt: string };
}

/** The first service is checked each minute, the others every 15 minutes. */
function content(db: Db): Promise<void> {
  return fillChecks(db, { services: SERVICES, lengthMs: DAYS * DAY, intervalOf: (service) => (service === 0 ? MINUTE : 15 * MINUTE), now: NOW });
}

/** Compares the windows of the counted services with the raw checks. */
function checkStatus(body: unknown, stored: StoredChecks, written: WrittenChecks): void {
  const { data, meta } = body as StatusBody;
  mustBe('number of services', data.services.length, SERVICES);
  const until = Date.parse(meta.generatedAt);
  for (const { key, windows } of data.services.filter((service) => stored.isCounted(service.key)))
    for (const [name, days] of [
      ['24h', 1],
      ['90d', 90],
      ['365d', 365],
    ] as const) {
      const before = stored.count(key, until - days * DAY, until);
      const tracked = windows[name]?.checksTracked ?? Number.NaN;
      const isRight = tracked >= before + written.acknowledged(key, until) && tracked <= before + written.begun(key);
      mustBe(`checks of ${key} in ${name}: ${String(tracked)}, stored before: ${String(before)}`, isRight, true);
    }
}

/** The checks that this process writes while a server answers. */
class WrittenChecks {
  readonly #begun: Check[] = [];
  readonly #acknowledged: Check[] = [];
  #atRequest = 0;

  begin(check: Check): void {
    this.#begun.push(check);
  }

  acknowledge(check: Check): void {
    this.#acknowledged.push(check);
  }

  /** Call before a request: it must count what was acknowledged until now. */
  requesting(): void {
    this.#atRequest = this.#acknowledged.length;
  }

  acknowledged(key: string, until: number): number {
    return this.#acknowledged.slice(0, this.#atRequest).filter((check) => check.serviceKey === key && check.checkedAt <= until).length;
  }

  begun(key: string): number {
    return this.#begun.filter(({ serviceKey }) => serviceKey === key).length;
  }

  get all(): readonly Check[] {
    return this.#begun;
  }
}

/** The first response of each of several servers. Each runs in its own new process. */
async function firstTimes(uri: string, db: Db, stored: StoredChecks): Promise<number[]> {
  const samples: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const server = await serverOn(uri, db);
    const began = performance.now();
    const body = await server.get(STATUS);
    samples.push(performance.now() - began);
    checkStatus(body, stored, new WrittenChecks());
    server.stop();
  }
  return samples;
}

function serverOn(uri: string, db: Db): Promise<Served> {
  return serve('mongo-server.js', [uri, db.databaseName, '20', 'vitrine']);
}

/** Repeats the request while another process writes a new check every 100 ms, for one service after the other. */
async function repeatedTimes(uri: string, db: Db, stored: StoredChecks): Promise<number[]> {
  const server = await serverOn(uri, db);
  const { meta } = (await server.get(STATUS)) as StatusBody;
  const offset = Date.parse(meta.generatedAt) - performance.now();
  const clock = { now: () => Math.trunc(offset + performance.now()) };
  const { writer } = createMongoWriters(db, { clock });
  const written = new WrittenChecks();
  const samples: number[] = [];
  const done = new AbortController();
  const writing = (async () => {
    for (let index = 0; !done.signal.aborted; index++) {
      const [check, due] = [newCheck(index, clock.now()), performance.now() + WRITE_EVERY_MS];
      written.begin(check);
      mustBe('stored', (await writer.put([check], context)).stored, 1);
      written.acknowledge(check);
      await sleep(Math.max(0, due - performance.now()));
    }
  })();
  try {
    for (let request = -WARM_UP; request < REQUESTS; request++) {
      written.requesting();
      const began = performance.now();
      const body = await server.get(STATUS);
      if (request >= 0) samples.push(performance.now() - began);
      checkStatus(body, stored, written);
      await sleep(20);
    }
  } finally {
    done.abort();
    await writing;
    server.stop();
    await writer.remove(
      written.all.map(({ serviceKey, checkedAt }) => ({ kind: 'check', serviceKey, checkedAt, source: SOURCE })),
      context,
    );
  }
  return samples;
}

function newCheck(index: number, checkedAt: number): Check {
  const serviceKey = `acme:service-${String(index % SERVICES).padStart(3, '0')}`;
  return aCheck({ serviceKey, checkedAt, provenance: aProvenance({ source: SOURCE, observedAt: checkedAt }) });
}

/** Status of services with more than a year of checks: the first response of a new process, and repeated ones while checks are written. */
export async function statusHistoryFigures(client: MongoClient, uri: string): Promise<readonly Figure[]> {
  const db = await filled(client, 'status_history_2', content);
  const stored = await StoredChecks.of(db, NOW);
  // The database reads its data from the disk once.
  await firstTimes(uri, db, stored);
  const first = await firstTimes(uri, db, stored);
  const repeated = await repeatedTimes(uri, db, stored);
  return [
    atMost(
      'status over HTTP, 100 services with 400 days of checks (576,000 in the longest): first response after a start, slowest of 5',
      Math.max(...first),
      'ms',
      150,
    ),
    atMost('the same: repeated, with a check written every 100 ms: p95', percentile(repeated, 0.95), 'ms', 40),
  ];
}
