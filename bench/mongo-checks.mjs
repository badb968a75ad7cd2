import { DAY, HOUR, MINUTE, startOfDay } from '../packages/core/dist/index.js';
import { aCheck, aProvenance, aService, Random } from '../packages/core/dist/testing/index.js';
import { ensureIndexes } from '../packages/adapters-mongo/dist/index.js';
import { Collections } from '../packages/adapters-mongo/dist/collections.js';
import { serviceDocument } from '../packages/adapters-mongo/dist/documents/status-documents.js';
import { checkDocument } from '../packages/adapters-mongo/dist/status/check-document.js';
import { countDay } from '../packages/adapters-mongo/dist/status/count-day.js';
import { dayDocument } from '../packages/adapters-mongo/dist/status/day-document.js';
import { rebuiltTrail } from '../packages/adapters-mongo/dist/status/rebuilt-trail.js';
import { StatusStore } from '../packages/adapters-mongo/dist/status/status-store.js';
import { trailDocument } from '../packages/adapters-mongo/dist/status/trail-document.js';

const context = { signal: new AbortController().signal };
const random = new Random(13);

/** One check a minute, of which one in two hundred is slow and one in a thousand fails. */
function checkAt(serviceKey, checkedAt) {
  const luck = random.int(1_000);
  const state = luck === 0 ? 'outage' : luck <= 5 ? 'degraded' : 'operational';
  const provenance = aProvenance({ source: 'Acme probe', sourceKind: 'confirmed-from-source', observedAt: checkedAt });
  return aCheck({ serviceKey, checkedAt, state, responseTimeMs: 80 + random.int(60) + (luck <= 5 ? 900 : 0), validForMs: 15 * MINUTE, provenance });
}

/** Fills an empty database with services and so many checks of each, the newest one just before `now`, and with all that is derived of them. */
export async function fillChecks(db, { services, checksEach, now }) {
  await ensureIndexes(db);
  const first = now - checksEach * MINUTE;
  for (let service = 0; service < services; service++) {
    const key = `acme:service-${String(service).padStart(3, '0')}`;
    await db.collection('services').insertOne(serviceDocument.toDocument(aService({ key, displayName: `Service ${String(service)}` })));
    let coveredUntil = Number.NEGATIVE_INFINITY;
    for (let day = startOfDay(first); day < now; day += DAY) {
      const checks = [];
      for (let at = Math.max(first, day) + random.int(MINUTE); at < Math.min(day + DAY, now); at += MINUTE) checks.push(checkAt(key, at));
      const counted = countDay({ serviceKey: key, day }, checks, coveredUntil, null);
      if (counted === null) continue;
      coveredUntil = counted.coveredUntil;
      await Promise.all([
        db.collection('status_checks').insertMany(checks.map(checkDocument), { ordered: false }),
        db.collection('status_days').insertOne(dayDocument(counted)),
      ]);
    }
    const trail = await rebuiltTrail(new StatusStore(new Collections(db)), key, null, { since: first, now: now - HOUR }, context);
    if (trail !== null) await db.collection('status_trails').insertOne(trailDocument(trail));
  }
}
