import { DAY, HOUR, MINUTE, startOfDay, type Check, type Clock, type ClockDoubt, type StoredRecord } from '@vitrine/core';
import { aCheck, NOW, StandingClock } from '@vitrine/core/testing';
import { openMemoryStore, type OpenMemoryStore } from './index.js';

const context = { signal: new AbortController().signal };
const RETENTION = 400 * DAY;
/** A day within the retention, and its checks. */
const OLD_DAY = startOfDay(NOW - 300 * DAY);
const OLD_CHECKS = Array.from({ length: 24 }, (_, hour) => aCheck({ checkedAt: OLD_DAY + hour * HOUR }));
const recently = (now: number): Check[] => [now - DAY - MINUTE, now - HOUR, now].map((checkedAt) => aCheck({ checkedAt }));

async function opened(clock: Clock, onClockDoubt?: (doubt: ClockDoubt) => void): Promise<OpenMemoryStore> {
  return openMemoryStore({ clock, retentionMs: RETENTION, ...(onClockDoubt && { onClockDoubt }) });
}

async function exported(store: OpenMemoryStore): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of store.collection.records(context)) records.push(record);
  return records;
}

async function oldChecks(store: OpenMemoryStore): Promise<number> {
  const query = { limit: 100, after: null, from: OLD_DAY, to: OLD_DAY + DAY - 1 };
  return (await store.readers.checks.list(aCheck().serviceKey, query, context)).items.length;
}

describe('retention of a memory store', () => {
  it('keeps raw checks if the clock jumps ahead for one write, and reports it', async () => {
    const clock = new StandingClock(NOW);
    const doubts: ClockDoubt[] = [];
    const store = await opened(clock, (doubt) => doubts.push(doubt));
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.jump(NOW + 200 * DAY);
    await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
    clock.jump(NOW);
    await store.writer.put([aCheck({ checkedAt: NOW + 1 })], context);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
    expect(doubts).toEqual([
      { reason: 'jump', by: 200 * DAY },
      { reason: 'jump', by: -200 * DAY },
    ]);
  });

  it('keeps raw checks according to the platform’s clock if the given clock does not show how much time has passed', async () => {
    const clock = { time: NOW, now: () => clock.time };
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.time = NOW + 200 * DAY;
    await store.writer.put([aCheck({ checkedAt: clock.time })], context);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
  });

  it('deletes raw checks when their time has come, and exports the counts of their day', async () => {
    const clock = new StandingClock(NOW);
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.set(NOW + 110 * DAY);
    await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
    expect(await oldChecks(store)).toBe(0);
    expect((await exported(store))[0]).toMatchObject({ kind: 'status-day', day: OLD_DAY, counts: { operational: OLD_CHECKS.length } });
  });

  it('rejects a check of a frozen day if the clock was set back', async () => {
    const clock = new StandingClock(NOW);
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.set(NOW + 110 * DAY);
    await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
    expect(await oldChecks(store)).toBe(0);
    clock.jump(NOW);
    const late = aCheck({ checkedAt: OLD_DAY + 1, state: 'outage' });
    expect((await store.writer.put([late, ...recently(NOW + 1)], context)).refused).toEqual([{ index: 0, reason: 'frozen-day' }]);
    expect(await oldChecks(store)).toBe(0);
  });

  it('does not replace raw checks by imported counts while the clock is in doubt', async () => {
    const clock = new StandingClock(NOW);
    const source = await opened(clock);
    await source.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.jump(NOW + 200 * DAY);
    const [day] = await exported(source);
    const counts = day?.kind === 'status-day' ? [day] : [];
    expect(counts).toHaveLength(1);
    expect((await store.writer.put(counts, context)).refused).toEqual([{ index: 0, reason: 'open-day' }]);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
    const empty = await opened(clock);
    expect((await empty.writer.put(counts, context)).stored).toBe(1);
  });

  it('exports days that are too old by a clock in doubt so that an import loses nothing', async () => {
    const clock = new StandingClock(NOW);
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.jump(NOW + 200 * DAY);
    const records = await exported(store);
    for (const now of [NOW, NOW + 200 * DAY]) {
      const copy = await opened(new StandingClock(now));
      await copy.writer.put(records, context);
      const window = { from: OLD_DAY, to: OLD_DAY + DAY };
      const { serviceKey } = aCheck();
      const days = (await copy.readers.checks.days({ serviceKeys: [serviceKey], window }, context)).get(serviceKey) ?? [];
      expect(days[0]?.counts).toMatchObject({ operational: OLD_CHECKS.length });
    }
  });
});
