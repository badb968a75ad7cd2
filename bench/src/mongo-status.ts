import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { DAY, MINUTE, startOfHour } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { atMost, percentile, timeEach, type Figure } from './measure.js';
import { fillChecks } from './mongo-checks.js';
import { mongoStoredChecks } from './mongo-stored-checks.js';
import { benchMongod, filled } from './mongod.js';
import { statusHistoryFigures } from './mongo-status-history.js';
import { serve, type Served } from './served.js';
import { mustBe } from './wrong-answer.js';

const SERVICES = 100;
const STATUS = '/api/v1/status';
const ROUNDS = 5;

interface StatusBody {
  readonly data: { readonly services: readonly { readonly key: string; readonly currentState: string; readonly checksTracked: number }[] };
  readonly meta: { readonly generatedAt: string };
}

/** A server on a database, and the check of its responses. */
interface Asked {
  readonly server: Served;
  readonly check: (body: unknown) => void;
  readonly samples: number[];
}

async function asked(uri: string, db: Db): Promise<Asked> {
  const stored = await mongoStoredChecks(db, NOW);
  const server = await serve('mongo-server.js', [uri, db.databaseName, '20', 'vitrine']);
  const check = (body: unknown) => {
    const { data, meta } = body as StatusBody;
    mustBe('states of the services', new Map(data.services.map(({ key, currentState }) => [key, currentState])), stored.states);
    const until = Date.parse(meta.generatedAt);
    for (const { key, checksTracked } of data.services.filter((service) => stored.isCounted(service.key)))
      mustBe(`checks tracked of ${key}`, checksTracked, stored.count(key, startOfHour(until) - 90 * DAY, until));
  };
  await warmed(server);
  return { server, check, samples: [] };
}

/** Warms the database up: after its start, the first responses are read from the disk and may be too slow. */
async function warmed(server: Served): Promise<void> {
  for (let left = 60; left > 0; left--) {
    try {
      await server.get(STATUS);
      return;
    } catch (error) {
      if (left === 1) throw error;
      await sleep(1_000);
    }
  }
}

export async function mongoStatusFigures(): Promise<readonly Figure[]> {
  const { client, uri, stop } = await benchMongod();
  try {
    const databaseOf = (name: string, checksEach: number) =>
      filled(client, name, (db) => fillChecks(db, { services: SERVICES, lengthMs: checksEach * MINUTE, now: NOW }));
    // Both are filled before a server starts: filling takes longer than a check is valid.
    const [fewChecks, manyChecks] = [await databaseOf('status_few_5', 130), await databaseOf('status_many_5', 130_000)];
    const [few, many] = [await asked(uri, fewChecks), await asked(uri, manyChecks)];
    for (let round = 0; round < ROUNDS; round++)
      for (const { server, check, samples } of [few, many]) samples.push(...(await timeEach(60, () => server.get(STATUS), check)));
    for (const { server } of [few, many]) server.stop();
    const ratio = percentile(many.samples, 0.5) / percentile(few.samples, 0.5);
    return [
      atMost('status over HTTP, 100 services: p50 with 13,000,000 against 13,000 checks', ratio, 'times', 1.5),
      atMost('the same: p95 with 13,000,000 checks', percentile(many.samples, 0.95), 'ms', 60),
      ...(await statusHistoryFigures(client, uri)),
    ];
  } finally {
    await stop();
  }
}
