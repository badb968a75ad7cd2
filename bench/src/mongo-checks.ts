import type { Db } from 'mongodb';
import { countDay, DAY, MINUTE, NOTHING_CARRIED, startOfDay, type Carry, type Check } from '@vitrine/core';
import { aService, Random } from '@vitrine/core/testing';
import { ensureIndexes } from '@vitrine/adapters-mongo';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { checkDocument } from '../../packages/adapters-mongo/dist/status/check-document.js';
import { dayDocument, hoursDocument } from '../../packages/adapters-mongo/dist/status/day-document.js';
import { StatusStore } from '../../packages/adapters-mongo/dist/status/status-store.js';
import { Commits } from '../../packages/adapters-mongo/dist/writers/commits.js';
import { trailDocument } from '../../packages/adapters-mongo/dist/status/trail-document.js';
import { historyCheck, historyKey } from './status-history.js';
import { DOCUMENTS } from '../../packages/adapters-mongo/dist/documents/record-documents.js';

const context = { signal: new AbortController().signal };
const random = new Random(13);

/** The content of the database. */
interface Content {
  readonly services: number;
  /** How far the checks of each service reach back, in milliseconds. */
  readonly lengthMs: number;
  /** The time between two checks of a service, in milliseconds; a minute by default. */
  readonly intervalOf?: (service: number) => number;
  readonly now: number;
}

/** Fills an empty database with services and their checks, the newest one just before `now`, and with all data derived from them. */
export async function fillChecks(db: Db, { services, lengthMs, intervalOf = () => MINUTE, now }: Content): Promise<void> {
  await ensureIndexes(db);
  const collections = new Collections(db);
  const store = new StatusStore(collections, new Commits(collections, null));
  const first = now - lengthMs;
  for (let service = 0; service < services; service++) {
    const key = historyKey(service);
    await collections.writable('services').insertOne(DOCUMENTS.service.toDocument(aService({ key, displayName: `Service ${String(service)}` })));
    let carry: Carry = NOTHING_CARRIED;
    for (let day = startOfDay(first); day < now; day += DAY) {
      const checks: Check[] = [];
      const interval = intervalOf(service);
      for (let at = Math.max(first, day) + random.int(MINUTE); at < Math.min(day + DAY, now); at += interval)
        checks.push(historyCheck(random, key, at));
      const counted = countDay({ serviceKey: key, day }, checks, carry, null);
      if (counted === null) continue;
      carry = counted;
      await Promise.all([
        collections.writable('status_checks').insertMany(checks.map(checkDocument), { ordered: false }),
        collections.writable('status_days').insertOne(dayDocument(counted)),
        collections.writable('status_hours').insertOne(hoursDocument(counted)),
      ]);
    }
    const latest = await store.foundLatestState(key, 0, context);
    if (latest !== null) await collections.writable('status_trails').insertOne(trailDocument(latest));
  }
}
