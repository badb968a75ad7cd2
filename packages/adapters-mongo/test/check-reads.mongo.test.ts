import { DAY, HOUR, MINUTE, pastRanges, SECOND, startOfDay, uptimeWindows, type Check, type StoredRecord } from '@vitrine/core';
import { aCheck, aProvenance, aStatusDay, evidenceFrom, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo, isTorture } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import { ensureIndexes, initStore } from '../src/index.js';
import { mongoCollectionReader } from '../src/readers/record-readers.js';
import { checkSchema, daySchema, hoursSchema, latestSchema } from '../src/status/status-documents.js';
import { ensureRetention } from '../src/store-admin.js';
import { checkItems, checkReader, checkReading, checkWriter, emptyChecks, RETENTION_MS } from './support/check-store.js';
import { commandsOf, explained } from './support/explained.js';

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

const MANY = isTorture ? 100 : 20;
const oldDay = aStatusDay({ serviceKey: 'acme:service-1', day: frozen });

describeMongo('reading checks', (databases) => {
  let db: Db;

  beforeAll(async () => {
    db = await databases.prepared(initStore, { monitorCommands: true });
  });

  const fill = async (services: number, ...others: readonly StoredRecord[]) => {
    await emptyChecks(db);
    await checkWriter(db, clock).put(checkItems([...checksOf(services), ...others]), context);
  };

  async function expectFewCommands(): Promise<void> {
    const reader = checkReader(db, clock);
    // The latest states, the hours of today, the checks of this hour, and the newest checks of sources with a clock that is ahead.
    expect(await commandsOf(db.client, () => reader.present({ serviceKeys: null, now: NOW }, context))).toHaveLength(4);
    expect(await commandsOf(db.client, () => reader.present({ serviceKeys: null, now: NOW + 10 * MINUTE }, context))).toHaveLength(3);
    const ranges = pastRanges(uptimeWindows(NOW), NOW);
    // Those with response times, and those without.
    expect(await commandsOf(db.client, () => reader.sums({ serviceKeys: null, ranges }, context))).toHaveLength(2);
  }

  it('needs four commands and two for one service', async () => {
    await fill(1);
    await expectFewCommands();
  });

  describe('of many services', () => {
    beforeAll(() => fill(MANY));

    it('needs as many', expectFewCommands);

    it('stores the newest checks with as many commands as those of one service', async () => {
      const commands = async (services: number, age: number) => {
        const started: string[] = [];
        const listen = ({ commandName }: { readonly commandName: string }) => started.push(commandName);
        db.client.on('commandStarted', listen);
        const newest = checksOf(services).map((check) => ({ ...check, checkedAt: NOW - age }));
        await checkWriter(db, clock).put(
          checkItems(newest.filter(({ serviceKey }, index, all) => all[index - 1]?.serviceKey !== serviceKey)),
          context,
        );
        db.client.off('commandStarted', listen);
        return started;
      };
      expect(await commands(1, SECOND)).toEqual(await commands(MANY, 2 * SECOND));
    });
  });

  it('shows a late check at once', async () => {
    await fill(1);
    const reader = checkReader(db, clock);
    const counted = async () => (await evidenceFrom(reader, everything, context)).get('acme:service-0')?.tallies[3]?.counts.operational ?? 0;
    const before = await counted();
    const late = [2 * HOUR, 5 * DAY].map((age) => ({ ...checksOf(1)[0], checkedAt: NOW - age }) as Check);
    await checkWriter(db, clock).put(checkItems(late), context);
    expect(await counted()).toBe(before + 2);
  });

  it('scans no collection and sorts nothing in memory', async () => {
    await fill(3);
    const reader = checkReader(db, clock);
    const history = { limit: 2, after: { time: NOW - HOUR, id: 'x' }, from: NOW - 8 * DAY, to: NOW };
    const commands = await commandsOf(db.client, async () => {
      await evidenceFrom(reader, everything, context);
      await evidenceFrom(reader, { ...everything, serviceKeys: ['acme:service-1'] }, context);
      await reader.list('acme:service-1', history, context);
      await reader.days({ serviceKeys: ['acme:service-0'], window: { from: startOfDay(NOW) - 3 * DAY, to: startOfDay(NOW) } }, context);
      await reader.hours('acme:service-0', { from: startOfDay(NOW) - HOUR, to: startOfDay(NOW) + HOUR }, context);
      await mongoCollectionReader(checkReading(db, clock), RETENTION_MS).checkedDays(context);
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
    await days.updateOne({ day: new Date(startOfDay(NOW - 7 * DAY)) }, { $set: { coveredMs: 'all' } });
    await db.collection<Document>('status_hours').updateOne({ day: new Date(startOfDay(NOW)) }, { $set: { 'hours.0.latency': 'fast' } });
    const reader = checkReader(db, clock, monitor);
    const page = await reader.list('acme:service-0', { limit: 10, after: null, from: null, to: NOW + HOUR }, context);
    expect(page.items).toHaveLength(6);
    const window = { from: startOfDay(NOW) - 8 * DAY, to: startOfDay(NOW) };
    const found = (await reader.days({ serviceKeys: null, window }, context)).get('acme:service-0') ?? [];
    expect(found.map(({ day }) => day)).not.toContain(startOfDay(NOW - 7 * DAY));
    expect(await reader.hours('acme:service-0', { from: startOfDay(NOW), to: NOW }, context)).toEqual([]);
    expect(told.some((line) => line.startsWith('check acme:service-0') && line.endsWith('state: wrong'))).toBe(true);
    expect(told.some((line) => line.startsWith('status-day acme:service-0 2') && line.endsWith('coveredMs: wrong'))).toBe(true);
    expect(told.some((line) => line.startsWith('status-day acme:service-0 2') && line.endsWith('latency: wrong'))).toBe(true);
  });

  it('leaves out response times that are invalid, and reports them', async () => {
    await fill(1);
    const told: string[] = [];
    const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push(`${kind} ${id} ${reason}`) };
    await db.collection<Document>('status_days').updateMany({ day: new Date(startOfDay(NOW - 7 * DAY)) }, { $set: { 'latency.buckets': { x: 1 } } });
    const evidence = (await evidenceFrom(checkReader(db, clock, monitor), everything, context)).get('acme:service-0');
    const sum = (buckets: readonly (readonly [number, number])[] = []) => buckets.reduce((total, [, count]) => total + count, 0);
    expect([evidence?.tallies[3]?.counts.operational, sum(evidence?.tallies[3]?.latency.buckets)]).toEqual([5, 4]);
    expect(told).toContain('status-day acme:service-0 latency.buckets: wrong');
  });

  it('exports the counts of days whose checks are deleted, and then the checks', async () => {
    await fill(2, oldDay);
    const records: StoredRecord[] = [];
    for await (const record of mongoCollectionReader(checkReading(db, clock), RETENTION_MS).records(context)) records.push(record);
    expect(records[0]).toEqual(oldDay);
    expect(records).toHaveLength(1 + checksOf(2).length);
    const evidence = await evidenceFrom(checkReader(db, clock), everything, context);
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
      ['status_hours', hoursSchema],
      ['status_trails', latestSchema],
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
