import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, startOfDay, type Check, type Clock, type ClockDoubt, type StoredRecord } from '@vitrine/core';
import { aCheck, NOW, StandingClock } from '@vitrine/core/testing';
import type { OpenSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const RETENTION = 400 * DAY;
/** A day within the retention, and its checks. */
const OLD_DAY = startOfDay(NOW - 300 * DAY);
const OLD_CHECKS = Array.from({ length: 24 }, (_, hour) => aCheck({ checkedAt: OLD_DAY + hour * HOUR }));
const recently = (now: number): Check[] => [now - DAY - MINUTE, now - HOUR, now].map((checkedAt) => aCheck({ checkedAt }));

let root = '';
let serial = 0;
let open: OpenSqliteStore[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-retention-'));
});
afterEach(async () => {
  for (const store of open) await store.close();
  open = [];
});
afterAll(() => rm(root, { recursive: true }));

async function opened(clock: Clock, folder: string | null = null, onClockDoubt?: (doubt: ClockDoubt) => void): Promise<OpenSqliteStore> {
  const store = await openLocalStore({ clock, path: folder, retentionMs: RETENTION, ...(onClockDoubt && { onClockDoubt }) });
  open.push(store);
  return store;
}

async function restarted(store: OpenSqliteStore, clock: Clock, folder: string, onClockDoubt?: (doubt: ClockDoubt) => void): Promise<OpenSqliteStore> {
  await store.close();
  open = open.filter((other) => other !== store);
  return opened(clock, folder, onClockDoubt);
}

const newFolder = (): string => join(root, String(serial++));

async function exported(store: OpenSqliteStore): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of store.collection.records(context)) records.push(record);
  return records;
}

async function oldChecks(store: OpenSqliteStore): Promise<number> {
  const query = { limit: 100, after: null, from: OLD_DAY, to: OLD_DAY + DAY - 1 };
  return (await store.readers.checks.list(aCheck().serviceKey, query, context)).items.length;
}

describe('retention of a SQLite store', () => {
  it('keeps raw checks if the clock jumps ahead for one write, and reports it', async () => {
    const clock = new StandingClock(NOW);
    const doubts: ClockDoubt[] = [];
    const store = await opened(clock, newFolder(), (doubt) => doubts.push(doubt));
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

  it('keeps raw checks if processes start with a wrong clock, one after the other', async () => {
    const [clock, folder] = [new StandingClock(NOW), newFolder()];
    const doubts: ClockDoubt[] = [];
    let store = await opened(clock, folder);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    for (let run = 0; run < 3; run++) {
      clock.jump(NOW + 200 * DAY + run * MINUTE);
      store = await restarted(store, clock, folder, (doubt) => doubts.push(doubt));
      await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
      expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
    }
    expect(doubts[0]).toMatchObject({ reason: 'start' });
    clock.jump(NOW);
    store = await restarted(store, clock, folder);
    await store.writer.put(recently(NOW + 1), context);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
  });

  it('keeps raw checks according to the platform’s clock if the given clock does not show how much time has passed', async () => {
    const clock = { time: NOW, now: () => clock.time };
    const store = await opened(clock);
    await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
    clock.time = NOW + 200 * DAY;
    await store.writer.put([aCheck({ checkedAt: clock.time })], context);
    expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
  });

  it('deletes in the end after a long time without use, in one process or in many', async () => {
    for (const isOneProcess of [true, false]) {
      const [clock, folder] = [new StandingClock(NOW), newFolder()];
      let store = await opened(clock, folder);
      await store.writer.put([...OLD_CHECKS, ...recently(NOW)], context);
      clock.set(NOW + 110 * DAY);
      store = await restarted(store, clock, folder);
      await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
      expect(await oldChecks(store)).toBe(OLD_CHECKS.length);
      for (let hour = 5; hour <= 25; hour += 5) {
        clock.set(NOW + 110 * DAY + hour * HOUR);
        if (!isOneProcess) store = await restarted(store, clock, folder);
        await store.writer.put([aCheck({ checkedAt: clock.now() })], context);
      }
      expect(await oldChecks(store)).toBe(0);
      expect((await exported(store))[0]).toMatchObject({ kind: 'status-day', day: OLD_DAY, counts: { operational: OLD_CHECKS.length } });
    }
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
