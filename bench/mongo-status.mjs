import { setTimeout as sleep } from 'node:timers/promises';
import { NOW } from '../packages/core/dist/testing/index.js';
import { fillChecks } from './mongo-checks.mjs';
import { benchMongod, filled } from './mongod.mjs';
import { serve } from './mongo.mjs';
import { atMost, percentile, timeEach } from './measure.mjs';

const SERVICES = 100;
const STATUS = '/api/v1/status';
const ROUNDS = 5;

/** A database that was just started reads its first answers from the disk, and may not be in time with them. */
async function warmed(server) {
  for (let left = 60; left > 0; left--) {
    try {
      return await server.get(STATUS);
    } catch (error) {
      if (left === 1) throw error;
      await sleep(1_000);
    }
  }
}

export async function mongoStatusFigures() {
  const { client, uri, stop } = await benchMongod();
  try {
    for (const [name, checksEach] of [
      ['status_few', 130],
      ['status_many', 130_000],
    ])
      await filled(client, name, (db) => fillChecks(db, { services: SERVICES, checksEach, now: NOW }));
    const servers = { few: await serve(uri, 'status_few', '20'), many: await serve(uri, 'status_many', '20') };
    for (const server of Object.values(servers)) await warmed(server);
    const samples = { few: [], many: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, server] of Object.entries(servers)) samples[name].push(...(await timeEach(60, () => server.get(STATUS))));
    for (const server of Object.values(servers)) server.stop();
    const p50 = (name) => percentile(samples[name], 0.5);
    return [
      atMost('status over HTTP, 100 services: p50 with 13,000,000 against 13,000 checks', p50('many') / p50('few'), 'times', 1.5),
      atMost('the same: p95 with 13,000,000 checks', percentile(samples.many, 0.95), 'ms', 60),
    ];
  } finally {
    await stop();
  }
}
