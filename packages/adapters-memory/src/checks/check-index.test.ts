import { compareDuplicates, DAY, HOUR, MINUTE, SERVICE_STATES, startOfDay, startOfHour, tallyOf, type Check, type Instant } from '@vitrine/core';
import { aCheck, aProvenance, NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { CheckIndex } from './check-index.js';
import { decodePack, encodePack } from './check-pack.js';
import { CheckProfiles } from './check-profile.js';
import { DayChecks } from './day-checks.js';
import { ServiceChecks } from './service-checks.js';
import { windowTallies } from './window-tallies.js';

const TODAY = startOfDay(NOW);
const KEY = 'acme:api';

const moment = fc.oneof(
  fc.integer({ min: TODAY - 6 * DAY, max: NOW }),
  fc.constantFrom(TODAY, TODAY - 1, TODAY - DAY, TODAY - 3 * DAY, startOfHour(NOW), startOfHour(NOW) - 1, NOW, NOW + 30_000, NOW + 90_000),
);

const check = fc
  .record({
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    rawState: fc.constantFrom('up', 'down', 'äöü'),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY),
    source: fc.constantFrom('probe', 'Zoë', 'provider'),
    late: fc.nat({ max: 5_000 }),
  })
  .map(({ source, late, ...rest }): Check =>
    aCheck({ ...rest, serviceKey: KEY, provenance: aProvenance({ source, observedAt: rest.checkedAt + late }) }),
  );

function put(index: CheckIndex, one: Check): void {
  const day = index.copyOfDay(KEY, startOfDay(one.checkedAt));
  if (day.put(one)) index.setDay(day, [one]);
}

function remove(index: CheckIndex, one: Check): void {
  const day = index.copyOfDay(KEY, startOfDay(one.checkedAt));
  const at = day.find(one.checkedAt, one.provenance.source);
  const removed = day.checkAt(at);
  day.removeAt(at);
  index.setDayWithout(day, [removed]);
}

function identity(one: Check): string {
  return JSON.stringify([one.checkedAt, one.provenance.source]);
}

describe('CheckIndex', () => {
  it('counts windows exactly as from raw checks, while checks arrive late, arrive twice and are removed, and time passes', () => {
    const steps = fc.array(fc.oneof({ weight: 4, arbitrary: check }, { weight: 1, arbitrary: fc.nat() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.array(fc.nat({ max: 7 * DAY }), { minLength: 1, maxLength: 3 }), (changes, lengths) => {
        const index = new CheckIndex(400 * DAY);
        const standing = new Map<string, Check>();
        let now: Instant = NOW;
        for (const change of changes) {
          if (typeof change !== 'number') {
            put(index, change);
            const other = standing.get(identity(change));
            if (other === undefined || compareDuplicates(change, other) > 0) standing.set(identity(change), change);
          } else {
            const gone = [...standing.values()][change % Math.max(1, standing.size)];
            if (gone !== undefined) remove(index, gone);
            if (gone !== undefined) standing.delete(identity(gone));
          }
          now += typeof change === 'number' ? (change % 5) * 17 * MINUTE : 7_000;
          const service = index.service(KEY);
          const windows = lengths.flatMap((length) => [
            { from: now - length, to: now },
            { from: now - length, to: now - (length >> 2) },
            { from: startOfHour(now - length), to: startOfHour(now) },
          ]);
          if (service !== null)
            expect(windowTallies(service, windows, now)).toEqual(windows.map((window) => tallyOf([...standing.values()], window, now)));
        }
        expect(index.service(KEY) === null).toBe(standing.size === 0);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the same checks in whatever order they arrive', () => {
    fc.assert(
      fc.property(fc.array(check, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (checks, random) => {
        const orders = [checks, [...checks].sort(() => ((random.next().value ?? 0) % 3) - 1)].map((order) => {
          const index = new CheckIndex(400 * DAY);
          for (const one of order) put(index, one);
          const service = index.service(KEY);
          return Array.from({ length: service?.days.length ?? 0 }, (_, at) => {
            const day = service?.openDay(service.days.at(at));
            return Array.from({ length: day?.length ?? 0 }, (_one, place) => day?.checkAt(place));
          });
        });
        expect(orders[1]).toEqual(orders[0]);
      }),
    );
  });

  it('counts the next day again if a late check covers part of it', () => {
    const index = new CheckIndex(400 * DAY);
    const window = [{ from: TODAY, to: TODAY + HOUR }];
    put(index, aCheck({ serviceKey: KEY, checkedAt: TODAY + 50 * MINUTE, validForMs: 15 * MINUTE }));
    const covered = (): number | undefined => windowTallies(index.service(KEY) ?? new ServiceChecks(KEY), window, NOW)[0]?.coveredMs;
    expect(covered()).toBe(10 * MINUTE);
    put(index, aCheck({ serviceKey: KEY, checkedAt: TODAY - 5 * MINUTE, validForMs: 15 * MINUTE }));
    expect(covered()).toBe(20 * MINUTE);
  });
});

describe('a pack of checks', () => {
  it('decodes every check as it was encoded', () => {
    fc.assert(
      fc.property(fc.array(check, { maxLength: 50 }), (checks) => {
        const day = new DayChecks(KEY, TODAY, new CheckProfiles());
        for (const one of checks) if (startOfDay(one.checkedAt) === TODAY) day.put(one);
        const read = decodePack(encodePack(day), KEY, TODAY, new CheckProfiles());
        const all = (of: DayChecks): Check[] => Array.from({ length: of.length }, (_, index) => of.checkAt(index));
        expect(all(read)).toEqual(all(day));
      }),
    );
  });
});
