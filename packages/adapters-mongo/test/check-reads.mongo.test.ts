import { DAY, HOUR, MINUTE, SECOND, startOfDay, UnavailableError, uptimeWindows, type Check, type StoredRecord } from '@vitrine/core';
import { aCheck, aProvenance, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { Binary, type Db, type Document, type MongoClient } from 'mongodb';
import { Collections } from '../src/collections.js';
import { ensureIndexes } from '../src/index.js';
import { MongoReading } from '../src/reading/mongo-reading.js';
import { SILENT_QUARANTINE } from '../src/reading/quarantine.js';
import { checkSchema } from '../src/status/check-document.js';
import { daySchema } from '../src/status/day-document.js';
import { ensureRetention } from '../src/status/ensure-retention.js';
import { MongoCheckReader } from '../src/status/mongo-check-reader.js';
import { trailSchema } from '../src/status/trail-document.js';
import { checkItems, checkReader, checkReading, checkWriter, emptyChecks, RETENTION_MS } from './support/check-store.js';
import { commandsOf, explained } from './support/explained.js';
import { MongoCheckRecords } from '../src/status/check-records.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
const everything = { serviceKeys: null, windows: uptimeWindows(NOW), now: NOW };
const frozen = startOfDay(NOW - RETENTION_MS) - DAY;

/** Checks of several days. Those of every third service come from a clock that is two minutes ahead. */
function checksOf(services: number): Check[] {
  return Array.from({ length: services }, (_, service) =>
    [MINUTE, 2 * MINUTE, 90 * MINUTE, DAY - MINUTE, DAY + 5 * MINUTE, 7 * DAY, 30 * DAY + 3 * HOUR].map((age) => {
      const checkedAt = NOW - age + (service % 3 === 0 && age < HOUR ? 4 * MINUTE : 0);
      return aCheck({ serviceKey: `acme:service-${String(service)}`, checkedAt, provenance: aProvenance({ observedAt: checkedAt }) });
    }),
  ).flat();
}

const oldDay: StoredRecord = {
  kind: 'status-day',
  serviceKey: 'acme:service-1',
  day: frozen,
  counts: { operational: 1, degraded: 0, outage: 0, maintenance: 0, unknown: 0 },
  coveredMs: HOUR,
  latency: { buckets: [[3, 1]], max: 3 },
  firstCheckedAt: frozen,
  lastCheckedAt: frozen,
  coveredUntil: frozen + HOUR,
};

/** The first operation fails. */
class OnceUnreadable extends MongoReading {
  #isFirst = true;

  override run: MongoReading['run'] = (context, operation) => {
    if (!this.#isFirst) return super.run(context, operation);
    this.#isFirst = false;
    return Promise.reject(new UnavailableError('The store cannot be read.'));
  };
}

describeMongo('reading checks', (databases) => {
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    await ensureIndexes(db);
  });

  const fill = async (services: number, ...others: readonly StoredRecord[]) => {
    await emptyChecks(db);
    await checkWriter(db, clock).put(checkItems([...checksOf(services), ...others]), context);
  };

  async function expectFewCommands(): Promise<void> {
    const reader = checkReader(db, clock);
    expect(await commandsOf(client, () => reader.evidence(everything, context))).toHaveLength(3);
    // Sources with checks in the future are read each time.
    expect((await commandsOf(client, () => reader.evidence(everything, context))).length).toBeLessThanOrEqual(3);
    const punctual = { ...everything, now: NOW + 10 * MINUTE, windows: uptimeWindows(NOW + 10 * MINUTE) };
    await reader.evidence(punctual, context);
    // The latest states, and the hours of today.
    expect(await commandsOf(client, () => reader.evidence(punctual, context))).toHaveLength(2);
  }

  it('reads the past once if a request comes while it is warmed', async () => {
    await fill(4);
    const later = new StandingClock(NOW + 10 * MINUTE);
    const reader = checkReader(db, later);
    const query = { serviceKeys: null, windows: uptimeWindows(later.now()), now: later.now() };
    const asked = await commandsOf(client, () => Promise.all([reader.warm(), reader.evidence(query, context)]));
    // Three to warm it, and then the latest states and the hours of today.
    expect(asked).toHaveLength(5);
    expect(await reader.evidence(query, context)).toEqual(await checkReader(db, later).evidence(query, context));
  });

  it('answers after it could not be warmed', async () => {
    await fill(1);
    const reader = new MongoCheckReader(new OnceUnreadable(new Collections(db), clock, SILENT_QUARANTINE, 20_000), RETENTION_MS);
    await expect(reader.warm()).resolves.toBeUndefined();
    expect([...(await reader.evidence(everything, context)).keys()]).toEqual(['acme:service-0']);
  });

  it('needs three commands for one service, and two if the past is remembered', async () => {
    await fill(1);
    await expectFewCommands();
  });

  describe('of 100 services', () => {
    beforeAll(() => fill(100));

    it('needs three commands too, and two if the past is remembered', expectFewCommands);

    it('stores the newest checks with as many commands as those of one service', async () => {
      const commands = async (services: number, age: number) => {
        const started: string[] = [];
        const listen = ({ commandName }: { readonly commandName: string }) => started.push(commandName);
        client.on('commandStarted', listen);
        const newest = checksOf(services).map((check) => ({ ...check, checkedAt: NOW - age }));
        await checkWriter(db, clock).put(
          checkItems(newest.filter(({ serviceKey }, index, all) => all[index - 1]?.serviceKey !== serviceKey)),
          context,
        );
        client.off('commandStarted', listen);
        return started;
      };
      expect(await commands(1, SECOND)).toEqual(await commands(100, 2 * SECOND));
    });
  });

  it('shows a late check of an earlier day after a minute, and one of today at once', async () => {
    await fill(1);
    const reader = checkReader(db, clock);
    const at = async (now: number) => {
      const windows = [{ from: NOW - 20 * DAY, to: now }];
      return (await reader.evidence({ serviceKeys: null, windows, now }, context)).get('acme:service-0')?.tallies[0]?.counts.operational ?? 0;
    };
    const before = await at(NOW + 10 * MINUTE);
    const late = [2 * HOUR, 5 * DAY].map((age) => ({ ...checksOf(1)[0], checkedAt: NOW - age }) as Check);
    await checkWriter(db, clock).put(checkItems(late), context);
    expect(await at(NOW + 10 * MINUTE)).toBe(before + 1);
    expect(await at(NOW + 11 * MINUTE + 1)).toBe(before + 2);
  });

  it('scans no collection and sorts nothing in memory', async () => {
    await fill(3);
    const reader = checkReader(db, clock);
    const history = { limit: 2, after: { time: NOW - HOUR, id: 'x' }, from: NOW - 8 * DAY, to: NOW };
    const commands = await commandsOf(client, async () => {
      await reader.evidence(everything, context);
      await reader.evidence({ ...everything, serviceKeys: ['acme:service-1'] }, context);
      await reader.list('acme:service-1', history, context);
      await reader.days({ serviceKeys: ['acme:service-0'], window: { from: NOW - 3 * DAY, to: NOW }, now: NOW }, context);
    });
    expect(commands.length).toBeGreaterThan(6);
    for (const command of commands.flatMap(partsOf)) {
      const { stages } = await explained(db, command);
      expect([...stages].filter((stage) => ['SORT', 'COLLSCAN'].includes(stage))).toEqual([]);
    }
  });

  it('leaves out invalid documents, and reports them', async () => {
    await fill(1);
    const told: string[] = [];
    const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push(`${kind} ${id} ${reason}`) };
    const [check] = await db.collection<Document>('status_checks').find().sort({ _id: 1 }).toArray();
    await db
      .collection<Document>('status_checks')
      .updateOne({ checkedAt: check?.['checkedAt'] as Date, serviceKey: 'acme:service-0' }, { $set: { state: 'splendid' } });
    const days = db.collection<Document>('status_days');
    await days.updateOne({ day: new Date(startOfDay(NOW - 7 * DAY)) }, { $set: { coveredMs: 'all' }, $unset: { packed: '' } });
    const reader = checkReader(db, clock, monitor);
    const page = await reader.list('acme:service-0', { limit: 10, after: null, from: null, to: NOW + HOUR }, context);
    expect(page.items).toHaveLength(6);
    const evidence = (await reader.evidence(everything, context)).get('acme:service-0');
    expect(evidence?.tallies[4]?.counts.operational).toBe(5 - 1);
    expect(told.some((line) => line.startsWith('check acme:service-0') && line.endsWith('state: wrong'))).toBe(true);
    expect(told.some((line) => line.startsWith('status-day acme:service-0 2') && line.endsWith('coveredMs: wrong'))).toBe(true);
    for (const packed of ['all', new Binary(Buffer.from('all'))]) {
      await days.updateOne({ day: new Date(startOfDay(NOW - 30 * DAY)) }, { $set: { packed } });
      told.length = 0;
      const tallies = (await checkReader(db, clock, monitor).evidence(everything, context)).get('acme:service-0')?.tallies;
      expect(tallies?.[4]?.counts.operational).toBe(5 - 2);
      expect(told).toContain('status-day acme:service-0 packed: wrong');
    }
  });

  it('leaves out packed hours that are invalid, and reports them', async () => {
    await fill(1);
    const told: string[] = [];
    const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push(`${kind} ${id} ${reason}`) };
    const before = (await checkReader(db, clock).evidence(everything, context)).get('acme:service-0')?.tallies[0]?.counts.operational ?? 0;
    for (const packedHours of ['all', null, new Binary(Buffer.from('all'))]) {
      await db.collection<Document>('status_days').updateMany({}, { $set: { packedHours } });
      told.length = 0;
      const tallies = (await checkReader(db, clock, monitor).evidence(everything, context)).get('acme:service-0')?.tallies;
      expect(tallies?.[0]?.counts.operational).toBeLessThan(before);
      expect(told.some((line) => line.startsWith('status-day acme:service-0 2') && line.endsWith('packedHours: wrong'))).toBe(true);
    }
  });

  it('adds up days without packed totals and hours, which another program has written, from their other fields', async () => {
    await fill(3);
    const expected = await checkReader(db, clock).evidence(everything, context);
    const days = db.collection<Document>('status_days');
    expect(await days.countDocuments({ packed: { $exists: true }, packedHours: { $exists: true } })).toBe(await days.countDocuments());
    await days.updateMany({ serviceKey: { $ne: 'acme:service-1' } }, { $unset: { packed: '', packedHours: '' } });
    expect(await checkReader(db, clock).evidence(everything, context)).toEqual(expected);
  });

  it('exports the counts of days whose checks are deleted, and then the checks', async () => {
    await fill(2, oldDay);
    const records: StoredRecord[] = [];
    for await (const record of new MongoCheckRecords(checkReading(db, clock), RETENTION_MS).records(context)) records.push(record);
    expect(records[0]).toEqual(oldDay);
    expect(records).toHaveLength(1 + checksOf(2).length);
    const evidence = await checkReader(db, clock).evidence(everything, context);
    expect(evidence.get('acme:service-1')?.trackedFrom).toBe(frozen);
  });

  it('deletes raw checks an hour after their day is frozen, also after the retention has changed', async () => {
    await ensureRetention(db, 366 * DAY);
    await ensureRetention(db, RETENTION_MS);
    await ensureIndexes(db);
    const indexes = await db.collection('status_checks').indexes();
    expect(indexes.find(({ key }) => key['checkedAt'] === 1)?.expireAfterSeconds).toBe((RETENTION_MS + HOUR) / SECOND);
  });

  describe('after a fill', () => {
    beforeAll(() => fill(3, oldDay));

    it.each([
      ['status_checks', checkSchema],
      ['status_days', daySchema],
      ['status_trails', trailSchema],
    ])('stores documents of %s that match their schema', async (name, schema) => {
      expect(await db.collection(name).countDocuments({ $nor: [{ $jsonSchema: schema }] })).toBe(0);
      expect(await db.collection(name).countDocuments({ $jsonSchema: schema })).toBeGreaterThan(0);
    });
  });
});

/** A command, and all commands that it combines with `$unionWith`. */
function partsOf(command: Document): Document[] {
  if (command['find'] !== undefined) return [command];
  const pipeline = command['pipeline'] as Document[];
  const own = pipeline.filter((stage) => stage['$unionWith'] === undefined);
  const others = pipeline.flatMap(({ $unionWith: union }) =>
    union === undefined ? [] : [{ ...command, aggregate: union.coll as string, pipeline: union.pipeline as Document[] }],
  );
  return [{ ...command, pipeline: own }, ...others];
}
