import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, startOfDay, type Check, type ServiceEvidence, type StatusDay, type StatusHour } from '@vitrine/core';
import { aCheck, aProvenance, evidenceFrom, NOW, StandingClock } from '@vitrine/core/testing';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { bringBack } from './older-format.js';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const KEY = 'acme:api';
const TODAY = startOfDay(NOW);
const LATER = NOW + 30 * DAY;
const window = { from: TODAY - 400 * DAY, to: TODAY + 40 * DAY };

const check = (checkedAt: number, over: Partial<Check> = {}): Check =>
  aCheck({ serviceKey: KEY, checkedAt, provenance: aProvenance({ source: 'a', observedAt: checkedAt }), ...over });

/** Of days that will be frozen and of others, with outages over midnight and checks that are valid for days. */
const CHECKS = [TODAY - 390 * DAY, TODAY - 389 * DAY - 5 * MINUTE, TODAY - 20 * DAY, TODAY - 3 * DAY - 5 * MINUTE].flatMap((start) => [
  check(start),
  check(start + 2 * MINUTE, { state: 'outage', responseTimeMs: null, validForMs: HOUR }),
  check(start + 20 * MINUTE, { responseTimeMs: 90 }),
  check(start + 30 * MINUTE, { state: 'degraded', validForMs: 2 * DAY + HOUR }),
]);

interface Stored {
  readonly days: readonly StatusDay[];
  readonly hours: readonly StatusHour[];
  readonly evidence: ServiceEvidence | undefined;
}

/** What readers see of a file in the present format. */
async function read(path: string): Promise<Stored> {
  const store = await openLocalStore({ clock: new StandingClock(LATER), path });
  const { checks } = store.readers;
  const days = (await checks.days({ serviceKeys: null, window }, context)).get(KEY) ?? [];
  const hours = await checks.hours(KEY, window, context);
  const windows = [{ from: TODAY - 20 * DAY, to: LATER }];
  const evidence = (await evidenceFrom(checks, { serviceKeys: null, windows, now: LATER }, context)).get(KEY);
  await store.close();
  return { days, hours, evidence };
}

describe('the daily counts of a file of an older format', () => {
  let path: string;
  let before: Stored;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'vitrine-counts-'));
    const clock = new StandingClock(NOW);
    const store = await openLocalStore({ clock, path });
    await store.writer.put(CHECKS, context);
    // The oldest days are frozen now.
    clock.set(LATER);
    await store.writer.put([check(LATER - MINUTE)], context);
    await store.close();
    before = await read(path);
  });

  afterEach(() => rm(path, { recursive: true, force: true }));

  const isFrozen = (time: number): boolean => time < LATER - 400 * DAY;

  it.each(process.env['VITRINE_TORTURE'] === '1' ? [1, 2, 3, 4] : [1, 4])(
    'are counted again from raw checks, and those of frozen days keep what they know (format %i)',
    async (format) => {
      const database = new SqliteDatabase(join(path, 'vitrine.db'));
      database.transaction(() => {
        bringBack(database, format);
      });
      database.close();
      const after = await read(path);
      const { ever } = before.evidence ?? {};
      expect(after.evidence).toEqual({ ...before.evidence, ever: { ...ever, outageMs: null, degradedMs: null } });
      const open = before.days.filter(({ day }) => !isFrozen(day));
      expect(after.days.filter(({ day }) => !isFrozen(day))).toEqual(open);
      expect(open.some(({ outageMs }) => (outageMs ?? 0) > 0)).toBe(true);
      const frozen = before.days.filter(({ day, firstCheckedAt }) => isFrozen(day) && firstCheckedAt !== null);
      expect(frozen.length).toBeGreaterThan(1);
      const known = frozen.map((day) => ({ ...day, outageMs: null, degradedMs: null, claims: [], changedAt: day.lastCheckedAt }));
      expect(after.days.filter(({ day, firstCheckedAt }) => isFrozen(day) && firstCheckedAt !== null)).toEqual(known);
      const hoursOf = ({ hours }: Stored) => hours.filter(({ hour }) => frozen.some(({ day }) => hour >= day && hour < day + DAY));
      expect(hoursOf(after)).toEqual(hoursOf(before).map((hour) => ({ ...hour, outageMs: null, degradedMs: null, claims: [], changedAt: null })));
      expect(after.hours.filter(({ hour }) => !isFrozen(startOfDay(hour)))).toEqual(before.hours.filter(({ hour }) => !isFrozen(startOfDay(hour))));
    },
  );
});
