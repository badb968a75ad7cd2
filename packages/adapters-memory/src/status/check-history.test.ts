import {
  compareDuplicates,
  DAY,
  HOUR,
  MAX_VALIDITY_MS,
  MINUTE,
  SERVICE_STATES,
  startOfDay,
  startOfHour,
  tallyOf,
  type Check,
  type Instant,
} from '@vitrine/core';
import { aCheck, aProvenance, aStatusDay, evidenceFrom, NOW, StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { openMemoryStore, type OpenMemoryStore } from '../index.js';

const TODAY = startOfDay(NOW);
const KEY = 'acme:api';
const context = { signal: new AbortController().signal };

const moment = fc.oneof(
  fc.integer({ min: TODAY - 6 * DAY, max: NOW }),
  fc.integer({ min: TODAY - 50 * DAY, max: NOW }),
  fc.constantFrom(TODAY, TODAY - 1, TODAY - DAY, TODAY - 3 * DAY, startOfHour(NOW), startOfHour(NOW) - 1, NOW, NOW + 30_000, NOW + 90_000),
);

const check = fc
  .record({
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    rawState: fc.constantFrom('up', 'down', 'äöü'),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY, 3 * DAY + HOUR, MAX_VALIDITY_MS),
    source: fc.constantFrom('probe', 'Zoë', 'provider'),
    late: fc.nat({ max: 5_000 }),
  })
  .map(({ source, late, ...rest }): Check =>
    aCheck({ ...rest, serviceKey: KEY, provenance: aProvenance({ source, observedAt: rest.checkedAt + late }) }),
  );

const identity = ({ checkedAt, provenance }: Check): string => JSON.stringify([checkedAt, provenance.source]);
const identityOf = ({ serviceKey, checkedAt, provenance }: Check) => ({ kind: 'check', serviceKey, checkedAt, source: provenance.source }) as const;

async function tallies({ readers }: OpenMemoryStore, windows: readonly { readonly from: Instant; readonly to: Instant }[], now: Instant) {
  return (await evidenceFrom(readers.checks, { serviceKeys: [KEY], windows, now }, context)).get(KEY)?.tallies;
}

async function history({ readers }: OpenMemoryStore): Promise<readonly Check[]> {
  return (await readers.checks.list(KEY, { limit: 1_000, after: null, from: null, to: NOW + DAY }, context)).items;
}

describe('the checks of the store in memory', () => {
  it('are counted exactly as raw checks, while they arrive late, arrive twice and are removed, and time passes', async () => {
    const steps = fc.array(fc.oneof({ weight: 4, arbitrary: check }, { weight: 1, arbitrary: fc.nat() }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.oneof(fc.nat({ max: 7 * DAY }), fc.nat({ max: 60 * DAY })), { minLength: 1, maxLength: 3 }),
        async (changes, lengths) => {
          const store = await openMemoryStore({ clock: new StandingClock(NOW) });
          const standing = new Map<string, Check>();
          let now: Instant = NOW;
          for (const change of changes) {
            if (typeof change !== 'number') {
              await store.writer.put([change], context);
              const other = standing.get(identity(change));
              if (other === undefined || compareDuplicates(change, other) > 0) standing.set(identity(change), change);
            } else {
              const gone = [...standing.values()][change % Math.max(1, standing.size)];
              if (gone !== undefined) expect(await store.writer.remove([identityOf(gone)], context)).toBe(1);
              if (gone !== undefined) standing.delete(identity(gone));
            }
            now += typeof change === 'number' ? (change % 5) * 17 * MINUTE : 7_000;
            const windows = lengths.map((length) => ({ from: startOfHour(now - DAY - length), to: now }));
            const counted = await tallies(store, windows, now);
            if (counted !== undefined) expect(counted).toEqual(windows.map((window) => tallyOf([...standing.values()], window, now)));
            else expect([...standing.values()].filter(({ checkedAt }) => checkedAt <= now)).toEqual([]);
          }
          expect(await history(store)).toHaveLength(standing.size);
        },
      ),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 4 },
    );
  });

  it('are the same in whatever order they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(check, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (checks, random) => {
        const histories = [checks, [...checks].sort(() => ((random.next().value ?? 0) % 3) - 1)].map(async (order) => {
          const store = await openMemoryStore({ clock: new StandingClock(NOW) });
          for (const one of order) await store.writer.put([one], context);
          return history(store);
        });
        const [first, second] = await Promise.all(histories);
        expect(second).toEqual(first);
      }),
    );
  });

  it('cover a part of the next day if one arrives late', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const window = { from: TODAY, to: TODAY + HOUR };
    const covered = async (): Promise<number | undefined> => (await store.readers.checks.hours(KEY, window, context))[0]?.coveredMs;
    await store.writer.put([aCheck({ serviceKey: KEY, checkedAt: TODAY + 50 * MINUTE, validForMs: 15 * MINUTE })], context);
    expect(await covered()).toBe(10 * MINUTE);
    await store.writer.put([aCheck({ serviceKey: KEY, checkedAt: TODAY - 5 * MINUTE, validForMs: 15 * MINUTE })], context);
    expect(await covered()).toBe(20 * MINUTE);
  });

  it('accepts counts only for days whose raw checks are not kept, and allows to replace and remove them', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const frozen = startOfDay(NOW - 500 * DAY);
    const counts = { operational: 5, degraded: 0, outage: 1, maintenance: 0, unknown: 0 };
    const day = aStatusDay({ serviceKey: KEY, day: frozen, counts, coveredMs: 900, lastCheckedAt: frozen + 9, coveredUntil: frozen + 900 });
    const report = await store.writer.put([day, { ...day, day: TODAY }, day, { ...day, coveredMs: 901 }], context);
    expect(report).toEqual({ stored: 2, unchanged: 1, refused: [{ index: 1, reason: 'open-day' }] });
    const evidence = async () => evidenceFrom(store.readers.checks, { serviceKeys: null, windows: [{ from: frozen, to: NOW }], now: NOW }, context);
    expect((await evidence()).get(KEY)).toMatchObject({
      trackedFrom: frozen,
      lastCheckedAt: frozen + 9,
      newest: [],
      tallies: [{ coveredMs: 901, counts: { operational: 5, outage: 1 } }],
    });
    expect(await store.writer.remove([day, day], context)).toBe(1);
    expect((await evidence()).size).toBe(0);
  });
});
