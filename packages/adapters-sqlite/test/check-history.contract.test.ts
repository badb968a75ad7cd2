import {
  compareDuplicates,
  compareText,
  countedAt,
  DAY,
  HOUR,
  MAX_VALIDITY_MS,
  MINUTE,
  SECOND,
  SERVICE_STATES,
  startOfDay,
  startOfHour,
  tallyOf,
  uptimeWindows,
  type Check,
  type CheckReader,
  type Instant,
  type Window,
} from '@vitrine/core';
import { aCheck, aProvenance, evidenceFrom, NOW, StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { openLocalStore } from './open-local-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const KEYS = ['acme:api', 'acme:docs'] as const;
const TODAY = startOfDay(NOW);

const moment = fc.oneof(
  fc.integer({ min: TODAY - 5 * DAY, max: NOW }),
  fc.integer({ min: TODAY - 50 * DAY, max: NOW }),
  fc.integer({ min: NOW - 3 * HOUR, max: NOW + 10 * MINUTE }),
  fc.constantFrom(TODAY, TODAY - 1, TODAY - DAY, TODAY - 3 * DAY, TODAY + DAY, NOW, NOW + 30 * SECOND, NOW + 90 * SECOND),
);

const someCheck = fc
  .record({
    serviceKey: fc.constantFrom(...KEYS),
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    rawState: fc.constantFrom('up', 'down', 'a\u0000b'),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY, 3 * DAY + HOUR, MAX_VALIDITY_MS),
    source: fc.constantFrom('probe', 'pro\u0000be', 'Zoë', '\u{10ffff}'),
  })
  .map(({ source, ...rest }): Check => aCheck({ ...rest, provenance: aProvenance({ source, observedAt: rest.checkedAt }) }));

/** Puts a batch, and removes one of the stored checks. Then the clock advances. */
const step = fc.record({
  batch: fc.array(someCheck, { maxLength: 12 }),
  removed: fc.option(fc.nat(), { nil: null, freq: 4 }),
  pause: fc.constantFrom(0, 7 * SECOND, 61 * SECOND, HOUR, 20 * HOUR),
});

const identityOf = ({ kind, serviceKey, checkedAt, provenance }: Check) => ({ kind, serviceKey, checkedAt, source: provenance.source });

/** The current checks, by identity. */
class Standing {
  readonly #checks = new Map<string, Check>();

  put(check: Check): void {
    const key = JSON.stringify(identityOf(check));
    const other = this.#checks.get(key);
    if (other === undefined || compareDuplicates(check, other) > 0) this.#checks.set(key, check);
  }

  remove(index: number): Check | null {
    const check = [...this.#checks.values()][index % Math.max(1, this.#checks.size)] ?? null;
    this.#checks.delete(JSON.stringify(check === null ? null : identityOf(check)));
    return check;
  }

  of(serviceKey: string): Check[] {
    return [...this.#checks.values()].filter((check) => check.serviceKey === serviceKey).sort(newestFirst);
  }
}

function newestFirst(a: Check, b: Check): number {
  return b.checkedAt - a.checkedAt || compareText(a.provenance.source, b.provenance.source);
}

/** The expected result, computed only from the raw checks. */
function expected(checks: readonly Check[], windows: readonly Window[], now: Instant): unknown {
  const counted = checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null).toReversed();
  const times = counted.map(({ checkedAt }) => Math.min(checkedAt, now));
  if (counted.length === 0) return null;
  return {
    trackedFrom: times[0],
    lastCheckedAt: times.at(-1),
    newest: newestOfEach(counted),
    newestKnown: newestOfEach(counted.filter(({ state }) => state !== 'unknown')),
    stateSince: tallyOf(checks, { from: times[0] ?? 0, to: now }, now).changedAt ?? times[0],
    tallies: windows.map((window) => tallyOf(checks, window, now)),
    today: tallyOf(checks, { from: startOfDay(now), to: now }, now),
  };
}

function newestOfEach(oldestFirst: readonly Check[]): Check[] {
  return bySource(new Map(oldestFirst.map((check) => [check.provenance.source, check])).values());
}

function bySource(checks: Iterable<Check>): Check[] {
  return [...checks].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
}

async function found(reader: CheckReader, serviceKey: string, windows: readonly Window[], now: Instant): Promise<unknown> {
  const evidence = (await evidenceFrom(reader, { serviceKeys: null, windows, now }, context)).get(serviceKey);
  if (evidence === undefined) return null;
  const { trackedFrom, lastCheckedAt, stateSince, newest, newestKnown, tallies, today } = evidence;
  return { trackedFrom, lastCheckedAt, stateSince, newest: bySource(newest), newestKnown: bySource(newestKnown), tallies, today };
}

describe('the history of checks', () => {
  it(
    'is counted exactly as from raw checks, while checks arrive late, arrive twice and are removed, and time passes',
    async () => {
      const lengths = fc.array(fc.oneof(fc.nat({ max: 6 * DAY }), fc.nat({ max: 60 * DAY })), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), lengths, async (steps, windowLengths) => {
          const [clock, standing] = [new StandingClock(NOW), new Standing()];
          const store = await openLocalStore({ clock, path: null });
          for (const { batch, removed, pause } of steps) {
            await store.writer.put(batch, context);
            for (const check of batch) standing.put(check);
            const gone = removed === null ? null : standing.remove(removed);
            if (gone !== null) expect(await store.writer.remove([identityOf(gone)], context)).toBe(1);
            clock.set(clock.now() + pause);
            const now = clock.now();
            const others = windowLengths.map((length) => ({ from: startOfHour(now - DAY - length), to: now }));
            const windows = [...uptimeWindows(now), ...others];
            for (const key of KEYS) {
              expect(await found(store.readers.checks, key, windows, now)).toEqual(expected(standing.of(key), windows, now));
              const page = await store.readers.checks.list(key, { limit: 100, after: null, from: null, to: NOW + DAY }, context);
              expect(page.items).toEqual(standing.of(key));
            }
          }
          await store.close();
        }),
        { numRuns: torture ? 1_000 : 1, endOnFailure: !torture },
      );
    },
    torture ? 1_800_000 : 120_000,
  );
});
