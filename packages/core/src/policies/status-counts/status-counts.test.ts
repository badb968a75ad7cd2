import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, startOfDay, type Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import { MAX_VALIDITY_MS, type Check } from '../../domain/status/check.js';
import type { Window } from '../../domain/status/day-tally.js';
import type { ServiceEvidence } from '../../domain/status/service-evidence.js';
import { SERVICE_STATES } from '../../domain/status/service-state.js';
import { aProvenance, NOW } from '../../testing/builders.js';
import { aCheck } from '../../testing/status-builders.js';
import { uptimeWindows } from '../service-status.js';
import { compareDuplicates, countedAt, mergeTallies, tallyOf } from '../tally.js';
import { ChangingDays } from './changing-days.js';
import type { CheckIdentity, CountedDay } from './counted-day.js';
import { DaySums } from './day-sums.js';
import { daySlices, dayWindows } from './day-windows.js';
import { EvidenceRequest, type ServiceFacts, type ServiceNeeds } from './evidence-request.js';
import { latestStateAfter, LatestStateRebuild, type LatestState } from './latest-state.js';
import { packDay } from './packed-day.js';
import { PackedHours, packHours } from './packed-hours.js';
import type { DayHours } from './part-tallies.js';
import { changedDays, recountsOf } from './recounts.js';
import { RememberedPast } from './remembered-past.js';

const KEY = 'acme:api';
const TODAY = startOfDay(NOW);

/** The least that a store does: it keeps checks, days and the latest state of one service, and reads what it is asked for. */
class CountedStore {
  readonly #checks = new Map<string, Check>();
  readonly #days = new Map<Instant, CountedDay>();
  latest: LatestState | null = null;

  put(batch: readonly Check[]): void {
    const changed = changedDays(
      batch.map(({ checkedAt, validForMs }) => ({
        serviceKey: KEY,
        day: startOfDay(checkedAt),
        since: checkedAt,
        until: checkedAt + validForMs,
      })),
    );
    const changing = this.#changing(changed);
    for (const check of batch) changing.put(check);
    const { checks, days } = changing.count();
    for (const check of checks) this.#checks.set(keyOf(identityOf(check)), check);
    for (const day of days) this.#days.set(day.day, day);
    this.latest = this.latest === null ? this.rebuilt() : latestStateAfter(this.latest, days, checks);
  }

  remove(identity: CheckIdentity): boolean {
    const day = startOfDay(identity.checkedAt);
    const changing = this.#changing(changedDays([{ serviceKey: KEY, day, since: day, until: day }]));
    const isRemoved = changing.remove(identity);
    const { removedChecks, days, removedDays } = changing.count();
    for (const removed of removedChecks) this.#checks.delete(keyOf(removed));
    for (const counted of days) this.#days.set(counted.day, counted);
    for (const removed of removedDays) this.#days.delete(removed.day);
    this.latest = this.rebuilt();
    return isRemoved;
  }

  rebuilt(): LatestState | null {
    const rebuild = new LatestStateRebuild();
    for (const day of this.days()) rebuild.add({ ...day, hours: [] });
    const last = this.#days.get(rebuild.last?.day ?? NaN) ?? null;
    return rebuild.latestState(
      last,
      rebuild.newestChecks.flatMap((identity) => this.#checks.get(keyOf(identity)) ?? []),
    );
  }

  days(): CountedDay[] {
    return [...this.#days.values()].sort((a, b) => a.day - b.day);
  }

  lastBefore(day: Instant): CountedDay[] {
    return this.days()
      .filter((other) => other.day < day)
      .slice(-1);
  }

  checks(): Check[] {
    return [...this.#checks.values()].sort((a, b) => a.checkedAt - b.checkedAt);
  }

  /** Reads no more than what is needed, so that a test fails if the needs are incomplete. */
  read({ sums, hourDays, checks, newest, latest }: ServiceNeeds): ServiceFacts {
    const found = new DaySums(sums);
    const first = Math.min(...sums.map(({ from }) => from));
    const isNeeded = ({ day }: CountedDay): boolean => sums.some(({ from, to }) => day >= from && day < to);
    for (const [index, day] of [...this.lastBefore(first), ...this.days().filter(isNeeded)].entries()) {
      const packed = packDay(day);
      if (packed === null || index % 2 === 0) found.add(day);
      else expect(found.addPacked(packed)).toBe(true);
    }
    const counted = this.checks().filter(({ checkedAt }) => checkedAt <= latest);
    const before = hourDays.flatMap((day) => this.lastBefore(day)).filter(({ day }) => !hourDays.includes(day));
    const hours = [...this.days().filter(({ day }) => hourDays.includes(day)), ...before.map((day) => ({ ...day, hours: [] }))];
    return {
      sums: found,
      days: new Map(hours.map((day, index) => [day.day, index % 2 === 0 ? day : packedHoursOf(day)])),
      checks: this.checks().filter(({ checkedAt }) => checks.some(({ from, to }) => checkedAt >= from && checkedAt <= to)),
      newest: newest.flatMap(
        ({ source, isKnown }) => counted.findLast((check) => check.provenance.source === source && !(isKnown && check.state === 'unknown')) ?? [],
      ),
    };
  }

  #changing(changed: ReturnType<typeof changedDays>): ChangingDays {
    const recounts = recountsOf(changed, this.#days.values());
    const isNeeded = ({ checkedAt }: Check): boolean => recounts.some(({ day, from }) => checkedAt >= from && checkedAt < day + DAY);
    return new ChangingDays({ days: this.#days.values(), checks: this.checks().filter(isNeeded), recounts });
  }
}

function packedHoursOf(day: CountedDay): DayHours {
  const bytes = packHours(day);
  if (bytes === null) return day;
  const packed = PackedHours.of(day.day, day.coveredUntil, bytes) ?? fail();
  expect(packed.hours).toEqual(day.hours);
  return packed;
}

/** The same, computed only from the checks. */
class CountedByHand {
  readonly #checks = new Map<string, Check>();

  put(check: Check): void {
    const other = this.#checks.get(keyOf(identityOf(check)));
    if (other === undefined || compareDuplicates(check, other) > 0) this.#checks.set(keyOf(identityOf(check)), check);
  }

  remove(index: number): CheckIdentity | null {
    const check = [...this.#checks.values()][index % Math.max(1, this.#checks.size)];
    if (check === undefined) return null;
    this.#checks.delete(keyOf(identityOf(check)));
    return identityOf(check);
  }

  get checks(): Check[] {
    return [...this.#checks.values()];
  }

  evidence(windows: readonly Window[], now: Instant): ServiceEvidence | null {
    const counted = this.checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null).sort((a, b) => a.checkedAt - b.checkedAt);
    const [first, last] = [counted[0], counted.at(-1)];
    if (first === undefined || last === undefined) return null;
    return {
      trackedFrom: Math.min(first.checkedAt, now),
      lastCheckedAt: Math.min(last.checkedAt, now),
      newest: newestOfEach(counted),
      newestKnown: newestOfEach(counted.filter(({ state }) => state !== 'unknown')),
      tallies: windows.map((window) => tallyOf(this.checks, window, now)),
    };
  }
}

function newestOfEach(checks: readonly Check[]): Check[] {
  const newest = new Map(checks.map((check) => [check.provenance.source, check]));
  return [...newest.values()].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
}

function identityOf({ serviceKey, checkedAt, provenance }: Check): CheckIdentity {
  return { serviceKey, checkedAt, source: provenance.source };
}

function keyOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}

function answered(store: CountedStore, windows: readonly Window[], now: Instant, past: RememberedPast): ServiceEvidence | null {
  if (store.latest === null) return null;
  const request = new EvidenceRequest(store.latest, windows, now, past.of(KEY, now));
  const needs = request.needs();
  if (needs !== null) request.learn(store.read(needs));
  return request.evidence(NOW - 400 * DAY);
}

const moment = fc.oneof(
  fc.integer({ min: TODAY - 5 * DAY, max: NOW }),
  fc.integer({ min: TODAY - 50 * DAY, max: NOW }),
  fc.integer({ min: NOW - 3 * HOUR, max: NOW + 10 * MINUTE }),
  fc.constantFrom(TODAY, TODAY - 1, TODAY - DAY, TODAY - 3 * DAY, TODAY + DAY, NOW, NOW + 30 * SECOND, NOW + 90 * SECOND),
);

const someCheck = fc
  .record({
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY, 3 * DAY + HOUR, MAX_VALIDITY_MS),
    source: fc.constantFrom('probe', 'Zoë', '\u{10ffff}'),
  })
  .map(({ source, ...rest }): Check => aCheck({ serviceKey: KEY, ...rest, provenance: aProvenance({ source, observedAt: rest.checkedAt }) }));

/** Puts a batch, and removes one of the stored checks. Then time passes. */
const step = fc.record({
  batch: fc.array(someCheck, { maxLength: 12 }),
  removed: fc.option(fc.nat(), { nil: null, freq: 4 }),
  pause: fc.constantFrom(0, 7 * SECOND, 61 * SECOND, HOUR, 20 * HOUR),
});
const steps = fc.array(step, { minLength: 1, maxLength: 8 });
const lengths = fc.array(fc.oneof(fc.nat({ max: 6 * DAY }), fc.nat({ max: 60 * DAY })), { minLength: 1, maxLength: 3 });
const ends = fc.array(fc.oneof(fc.nat({ max: 2 * DAY }), fc.nat({ max: 40 * DAY })), { minLength: 1, maxLength: 2 });

interface Played {
  readonly store: CountedStore;
  readonly byHand: CountedByHand;
  readonly now: Instant;
}

/** Runs the steps on both, and calls `look` after each. */
function play(
  list: readonly { readonly batch: readonly Check[]; readonly removed: number | null; readonly pause: number }[],
  look: (at: Played) => void,
): void {
  const [store, byHand] = [new CountedStore(), new CountedByHand()];
  let now = NOW;
  for (const { batch, removed, pause } of list) {
    if (batch.length > 0) store.put(batch);
    for (const check of batch) byHand.put(check);
    const gone = removed === null ? null : byHand.remove(removed);
    if (gone !== null) expect(store.remove(gone)).toBe(true);
    now += pause;
    look({ store, byHand, now });
  }
}

describe('status counts', () => {
  it('give the same evidence as the raw checks, while checks arrive late, arrive twice and are removed, and time passes', () => {
    fc.assert(
      fc.property(steps, lengths, ends, (list, windowLengths, windowEnds) => {
        play(list, ({ store, byHand, now }) => {
          const others = windowLengths.flatMap((length) => windowEnds.map((end) => ({ from: now - end - length, to: now - end })));
          const windows = [...uptimeWindows(now), ...others];
          expect(answered(store, windows, now, new RememberedPast())).toEqual(byHand.evidence(windows, now));
        });
      }),
    );
  });

  it('give the same evidence with what was remembered, as soon as it is a minute old', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const past = new RememberedPast();
        let lag = 0;
        play(list, ({ store, byHand, now }) => {
          lag += MINUTE + 1;
          const later = now + lag;
          for (let repeat = 0; repeat < 2; repeat++)
            expect(answered(store, uptimeWindows(later), later, past)).toEqual(byHand.evidence(uptimeWindows(later), later));
        });
      }),
    );
  });

  it('give the tally of each day inside a window', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 45 * DAY }), fc.integer({ min: -2 * DAY, max: 2 * DAY }), (list, length, end) => {
        play(list, ({ store, byHand, now }) => {
          if (store.latest === null) return;
          const window = { from: now - end - length, to: now - end };
          const windows = dayWindows(store.latest, window, now);
          const request = new EvidenceRequest(store.latest, windows, now);
          const needs = request.needs();
          if (needs !== null) request.learn(store.read(needs));
          const slices = daySlices(windows, request.tallies());
          for (const { day, tally } of slices) {
            const ofDay = byHand.checks.filter(({ checkedAt }) => startOfDay(countedAt(checkedAt, now) ?? 0) <= day);
            expect(tally).toEqual(tallyOf(ofDay, { from: Math.max(day, window.from), to: Math.min(day + DAY, window.to) }, now));
          }
          expect(mergeTallies(slices.map(({ tally }) => tally))).toEqual(tallyOf(byHand.checks, window, now));
        });
      }),
    );
  });

  it('are the same in any order and any batches, and the latest state is the rebuilt one', () => {
    fc.assert(
      fc.property(fc.array(someCheck, { minLength: 1, maxLength: 40 }), fc.infiniteStream(fc.nat({ max: 9 })), (checks, random) => {
        const shuffled = checks.map((check) => ({ check, at: random.next().value ?? 0 })).sort((a, b) => a.at - b.at);
        const [sorted, mixed] = [new CountedStore(), new CountedStore()];
        sorted.put([...checks].sort((a, b) => a.checkedAt - b.checkedAt));
        for (let start = 0; start < shuffled.length;) {
          const end = start + 1 + (random.next().value ?? 0);
          mixed.put(shuffled.slice(start, end).map(({ check }) => check));
          start = end;
        }
        expect(mixed.days()).toEqual(sorted.days());
        expect(mixed.latest).toEqual(sorted.latest);
        expect(mixed.latest).toEqual(mixed.rebuilt());
      }),
    );
  });

  it('adds nothing for bytes that are no packed day, and packs no day whose numbers do not fit', () => {
    const counts = { operational: 2 ** 32, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
    const day = { day: TODAY, counts, coveredMs: 0, coveredUntil: TODAY, latency: { buckets: [], max: 0 } };
    expect(packDay(day)).toBeNull();
    expect(packDay({ ...day, counts: { ...counts, operational: 1 }, coveredUntil: TODAY - 1 })).toBeNull();
    const range = { from: TODAY, to: TODAY + DAY };
    const sums = new DaySums([range]);
    for (const length of [0, 35, 37]) expect(sums.addPacked(new Uint8Array(length))).toBe(false);
    expect(sums.tallyOf(range)).toEqual(mergeTallies([]));
  });

  it('reject packed hours that are damaged, and hours whose numbers do not fit', () => {
    const store = new CountedStore();
    store.put([5, 65].map((minutes) => aCheck({ serviceKey: KEY, checkedAt: TODAY + minutes * MINUTE, responseTimeMs: minutes })));
    const day = store.days()[0] ?? fail();
    const bytes = packHours(day) ?? fail();
    const hours = (damaged: Uint8Array) => PackedHours.of(TODAY, day.coveredUntil, damaged);
    for (let length = 0; length < bytes.length; length++) expect(hours(bytes.subarray(0, length))?.hours.length ?? 0).toBeLessThan(2);
    expect(hours(Uint8Array.of(2, ...bytes.subarray(1)))).toBeNull();
    expect(hours(Uint8Array.of(...bytes, ...bytes.subarray(1)))).toBeNull();
    expect(hours(bytes.with(1, 24))).toBeNull();
    const [hour = fail()] = day.hours;
    expect(packHours({ ...day, hours: [{ ...hour, coveredMs: 2 ** 32 }] })).toBeNull();
  });

  it('ask for no more than two partial hours for windows that end now', () => {
    const store = new CountedStore();
    store.put(Array.from({ length: 60 * 24 * 3 }, (_, index) => aCheck({ serviceKey: KEY, checkedAt: NOW - index * MINUTE })));
    const request = new EvidenceRequest(store.latest ?? fail(), [{ from: NOW - 2 * DAY, to: NOW }], NOW);
    const { sums, hourDays, checks, newest } = request.needs() ?? fail();
    expect(sums).toEqual([{ from: TODAY - DAY, to: TODAY, withoutLatency: false }]);
    expect([...hourDays].sort((a, b) => a - b)).toEqual([TODAY - 2 * DAY, TODAY]);
    expect(checks.length).toBeLessThanOrEqual(2);
    expect(newest).toEqual([]);
  });
});

function fail(): never {
  throw new Error('expected a value');
}
