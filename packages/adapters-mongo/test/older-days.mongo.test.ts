import { DAY, HOUR, MINUTE, startOfDay, uptimeWindows, type Check, type ServiceEvidence, type Tally } from '@vitrine/core';
import { aCheck, aProvenance, aStatusDay, evidenceFrom, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { Binary, type Db, type Document } from 'mongodb';
import { initStore, reindexStore } from '../src/index.js';
import { checkItems, checkReader, checkWriter, RETENTION_MS } from './support/check-store.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
const KEY = 'acme:api';
const TODAY = startOfDay(NOW);
const FROZEN = startOfDay(NOW - RETENTION_MS) - 3 * DAY;

const CHECKS: readonly Check[] = [2 * MINUTE, 90 * MINUTE, DAY, 2 * DAY, 3 * DAY, 29 * DAY].flatMap((age) =>
  ['a', 'b'].map((source, index) => {
    const checkedAt = NOW - age - index * MINUTE;
    const state = age === 2 * DAY ? 'outage' : 'operational';
    return aCheck({ serviceKey: KEY, checkedAt, state, provenance: aProvenance({ source, observedAt: checkedAt }) });
  }),
);

/** Six bytes for each bucket: two for its index, four for its count. */
function bytesOf(buckets: Readonly<Record<string, number>>): Binary {
  const bytes = Object.entries(buckets).map(([bucket, count]) => {
    const pair = Buffer.alloc(6);
    pair.writeUInt16LE(Number(bucket));
    pair.writeUInt32LE(count, 2);
    return pair;
  });
  return new Binary(Buffer.concat(bytes));
}

function oldTally({ counts, coveredMs, latency, coveredUntil }: Document): Document {
  const { buckets, max } = latency as { readonly buckets: Readonly<Record<string, number>>; readonly max: number };
  return { counts, coveredMs, latency: { buckets: bytesOf(buckets), max }, coveredUntil };
}

/** Brings the documents of days to the shape of the version before. */
async function bringBack(db: Db): Promise<void> {
  const [days, hours] = [db.collection<Document>('status_days'), db.collection<Document>('status_hours')];
  for (const document of await days.find().toArray()) {
    const { _id, serviceKey, day, firstCheckedAt, lastCheckedAt } = document;
    await days.deleteOne({ _id });
    // Days without checks were not stored.
    if (firstCheckedAt === null) continue;
    const own = await hours.findOne({ _id });
    const old = ((own?.['hours'] ?? []) as readonly Document[]).map((hour) => ({
      hour: ((hour['hour'] as Date).getTime() - (day as Date).getTime()) / HOUR,
      ...oldTally(hour),
    }));
    const packed = new Binary(Buffer.alloc(36));
    await days.insertOne({ _id, serviceKey, day, ...oldTally(document), firstCheckedAt, lastCheckedAt, sources: [], hours: old, packed });
  }
  await hours.deleteMany({});
  await days.createIndexes([{ key: { serviceKey: 1, day: 1, packed: 1 } }]);
}

/** What earlier versions knew, too. */
function known({ counts, coveredMs, latency }: Tally): unknown {
  return { counts, coveredMs, latency };
}

describeMongo('days that an earlier version has counted', (databases) => {
  let db: Db;
  const evidence = async (): Promise<ServiceEvidence | undefined> =>
    (await evidenceFrom(checkReader(db, clock), { serviceKeys: null, windows: uptimeWindows(NOW), now: NOW }, context)).get(KEY);
  const reindex = () => reindexStore(db, { clock, retentionMs: RETENTION_MS, ...context, onProgress: () => undefined });

  it('are read as they are, and replaced by store init and store reindex', async () => {
    db = await databases.prepared(initStore);
    await checkWriter(db, clock).put(checkItems([...CHECKS, aStatusDay({ serviceKey: KEY, day: FROZEN })]), context);
    const before = await evidence();
    await bringBack(db);

    // Servers are updated first: the sums are the same, and times in outage are not known.
    const old = await evidence();
    expect(old?.tallies.map(known)).toEqual(before?.tallies.map(known));
    expect(old?.today.outageMs).toBeNull();
    const yesterday = { from: TODAY - DAY, to: TODAY };
    expect((await checkReader(db, clock).hours(KEY, yesterday, context)).length).toBeGreaterThan(0);
    expect((await checkReader(db, clock).days({ serviceKeys: [KEY], window: yesterday }, context)).get(KEY)).toHaveLength(1);

    // Then the collector: it counts the day of a new check in the present shape.
    const late = aCheck({ serviceKey: KEY, checkedAt: NOW - MINUTE, provenance: aProvenance({ source: 'a', observedAt: NOW - MINUTE }) });
    await checkWriter(db, clock).put(checkItems([late]), context);
    expect((await evidence())?.today).toMatchObject({ counts: { operational: 5 }, outageMs: 0 });
    await checkWriter(db, clock).remove([{ kind: 'check', serviceKey: KEY, checkedAt: late.checkedAt, source: 'a' }], context);

    // Then the rest.
    await initStore(db, { clock });
    await reindex();
    const indexes = await db.collection('status_days').indexes();
    expect(indexes.filter(({ key }) => key['packed'] !== undefined)).toEqual([]);
    expect(await db.collection('status_days').countDocuments({ $or: [{ hours: { $exists: true } }, { packed: { $exists: true } }] })).toBe(0);
    expect((await evidence())?.tallies).toEqual(before?.tallies);
    const frozen = await db.collection<Document>('status_days').findOne({ day: new Date(FROZEN) });
    expect(frozen).toMatchObject({ counts: { operational: 3, outage: 1 }, outageMs: null, degradedMs: null, latency: { buckets: { '3': 2 } } });
  });
});
