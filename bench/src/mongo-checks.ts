import type { Db } from 'mongodb';
import { DAY, HOUR, MINUTE, startOfDay, type Check } from '@vitrine/core';
import { aCheck, aProvenance, aService, Random } from '@vitrine/core/testing';
import { ensureIndexes } from '@vitrine/adapters-mongo';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { serviceDocument } from '../../packages/adapters-mongo/dist/documents/status-documents.js';
import { checkDocument } from '../../packages/adapters-mongo/dist/status/check-document.js';
import { countDay } from '../../packages/adapters-mongo/dist/status/count-day.js';
import { dayDocument } from '../../packages/adapters-mongo/dist/status/day-document.js';
import { rebuiltTrail } from '../../packages/adapters-mongo/dist/status/rebuilt-trail.js';
import { StatusStore } from '../../packages/adapters-mongo/dist/status/status-store.js';
import { Commits } from '../../packages/adapters-mongo/dist/writers/commits.js';
import { trailDocument } from '../../packages/adapters-mongo/dist/status/trail-document.js';

const context = { signal: new AbortController().signal };
const random = new Random(13);

/** One check a minute. One in two hundred is slow, and one in a thousand fails. */
function checkAt(serviceKey: string, checkedAt: number): Check {
  const luck = random.int(1_000);
  const state = luck === 0 ? 'outage' : luck <= 5 ? 'degraded' : 'operational';
  const provenance = aProvenance({ source: 'Acme probe', sourceKind: 'confirmed-from-source', observedAt: checkedAt });
  return aCheck({ serviceKey, checkedAt, state, responseTimeMs: 80 + random.int(60) + (luck <= 5 ? 900 : 0), validForMs: 15 * MINUTE, provenance });
}

/** The content of the database. */
interface Content {
  readonly services: number;
  readonly checksEach: number;
  readonly now: number;
}

/** Fills an empty database with services and their checks, the newest one just before `now`, and with all data derived from them. */
export async function fillChecks(db: Db, { services, checksEach, now }: Content): Promise<void> {
  await ensureIndexes(db);
  const collections = new Collections(db);
  const store = new StatusStore(collections, new Commits(collections, null));
  const first = now - checksEach * MINUTE;
  for (let service = 0; service < services; service++) {
    const key = `acme:service-${String(service).padStart(3, '0')}`;
    await collections.writable('services').insertOne(serviceDocument.toDocument(aService({ key, displayName: `Service ${String(service)}` })));
    let coveredUntil = Number.NEGATIVE_INFINITY;
    for (let day = startOfDay(first); day < now; day += DAY) {
      const checks: Check[] = [];
      for (let at = Math.max(first, day) + random.int(MINUTE); at < Math.min(day + DAY, now); at += MINUTE) checks.push(checkAt(key, at));
      const counted = countDay({ serviceKey: key, day }, checks, coveredUntil, null);
      if (counted === null) continue;
      coveredUntil = counted.coveredUntil;
      await Promise.all([
        collections.writable('status_checks').insertMany(checks.map(checkDocument), { ordered: false }),
        collections.writable('status_days').insertOne(dayDocument(counted)),
      ]);
    }
    const trail = await rebuiltTrail(store, key, null, now - HOUR, context);
    if (trail !== null) await collections.writable('status_trails').insertOne(trailDocument(trail));
  }
}
