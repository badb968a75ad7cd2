import { DAY, HOUR, MINUTE, startOfDay, type Check, type ClockDoubt } from '@vitrine/core';
import { aCheck, aStatusDay, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import { Collections } from '../src/collections.js';
import { initStore } from '../src/index.js';
import { CheckWriter } from '../src/status/check-writer.js';
import { Commits } from '../src/writers/commits.js';
import { checkItems, checkReader, checkWriter, emptyChecks, RETENTION_MS } from './support/check-store.js';

const context = { signal: new AbortController().signal };
/** A day within the retention. */
const OLD_DAY = startOfDay(NOW - 300 * DAY);
const JUMP = 200 * DAY;
const key = aCheck().serviceKey;

const checksAt = (...times: readonly number[]): Check[] => times.map((checkedAt) => aCheck({ checkedAt }));
const oldChecks = checksAt(...Array.from({ length: 60 }, (_, minute) => OLD_DAY + minute * MINUTE));
const recent = checksAt(NOW - DAY - MINUTE, NOW - HOUR, NOW);

const importedDay = aStatusDay({ serviceKey: key, day: OLD_DAY });

describeMongo('a writer of checks whose clock jumps', (databases) => {
  let db: Db;
  let clock: StandingClock;

  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });

  beforeEach(async () => {
    await emptyChecks(db);
    clock = new StandingClock(NOW);
    await checkWriter(db, clock).put(checkItems([...oldChecks, ...recent]), context);
  });

  async function operationalOnOldDay(): Promise<number | undefined> {
    const window = { from: OLD_DAY, to: OLD_DAY + DAY };
    const days = await checkReader(db, new StandingClock(NOW)).days({ serviceKeys: [key], window }, context);
    return days.get(key)?.[0]?.counts.operational;
  }

  const marks = () => db.collection<Document & { _id: string }>('status_pending');
  const pending = async (): Promise<number> => ((await marks().findOne({ _id: 'days' }))?.['days'] as readonly unknown[]).length;

  it('does not replace raw checks by imported counts, in a process that was running or starts then', async () => {
    const running = checkWriter(db, clock);
    await running.put(checkItems(checksAt(NOW + 1)), context);
    clock.jump(NOW + JUMP);
    for (const writer of [running, checkWriter(db, clock)]) {
      const { stored, refused } = await writer.put(checkItems([importedDay]), context);
      expect([stored, refused]).toEqual([0, [{ index: 0, reason: 'open-day' }]]);
      expect(await writer.remove([{ kind: 'status-day', serviceKey: key, day: OLD_DAY }], context)).toBe(0);
    }
    expect(await operationalOnOldDay()).toBe(60);
  });

  it('leaves the days marked that another program has written, and counts them when the clock is right again', async () => {
    await marks().updateOne({ _id: 'days' }, { $set: { days: [{ day: new Date(OLD_DAY), serviceKey: key }] } }, { upsert: true });
    await db.collection('status_days').deleteMany({ day: new Date(OLD_DAY) });
    await db.collection('status_hours').deleteMany({ day: new Date(OLD_DAY) });
    clock.jump(NOW + JUMP);
    const wrong = checkWriter(db, clock);
    await wrong.settle(context);
    await wrong.put(checkItems(checksAt(clock.now())), context);
    expect(await pending()).toBe(1);
    clock.jump(NOW);
    const right = checkWriter(db, clock);
    await right.settle(context);
    expect(await pending()).toBe(0);
    expect(await operationalOnOldDay()).toBe(60);
  });

  it('trusts the clock in the end, and then accepts the counts of days that are too old', async () => {
    const doubts: ClockDoubt[] = [];
    const options = { clock, retentionMs: RETENTION_MS, onClockDoubt: (doubt: ClockDoubt) => doubts.push(doubt) };
    const writer = new CheckWriter(new Commits(new Collections(db), null), options);
    await writer.put(checkItems(checksAt(NOW + 1)), context);
    clock.jump(NOW + JUMP);
    expect((await writer.put(checkItems([importedDay]), context)).stored).toBe(0);
    expect(doubts).toEqual([{ reason: 'jump', by: JUMP }]);
    clock.set(NOW + JUMP + DAY);
    expect((await writer.put(checkItems([importedDay]), context)).stored).toBe(1);
    expect(await operationalOnOldDay()).toBe(3);
  });

  it('accepts the counts of days without raw checks at once, as in a copy of a store', async () => {
    await emptyChecks(db);
    clock.jump(NOW + JUMP);
    const writer = checkWriter(db, clock);
    expect((await writer.put(checkItems([importedDay, ...recent]), context)).stored).toBe(4);
    expect(
      (await checkWriter(db, clock).put(checkItems([{ ...importedDay, day: OLD_DAY - DAY, firstCheckedAt: OLD_DAY - DAY }]), context)).stored,
    ).toBe(1);
  });
});
