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
import { describeMongo, emptied } from '@vitrine/test-support';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { Collections } from '../src/collections.js';
import { initStore, rebuildDays } from '../src/store-admin.js';
import { Commits } from '../src/writers/commits.js';
import { checkItems, checkReader, checkWriter, derivedDocuments, emptyChecks, RETENTION_MS } from './support/check-store.js';
import { expectSame } from './support/contents.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const TODAY = startOfDay(NOW);

const moment = fc.oneof(
  fc.integer({ min: TODAY - 5 * DAY, max: NOW }),
  fc.integer({ min: TODAY - 50 * DAY, max: NOW }),
  fc.integer({ min: NOW - 3 * HOUR, max: NOW + 10 * MINUTE }),
  fc.constantFrom(TODAY, TODAY - 1, TODAY - DAY, TODAY - 3 * DAY, TODAY + DAY, NOW, NOW + 30 * SECOND, NOW + 90 * SECOND),
);

const someCheck = fc
  .record({
    serviceKey: fc.constantFrom('acme:api', 'acme:docs'),
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    rawState: fc.constantFrom('up', 'down', 'äöü'),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY, 3 * DAY + HOUR, MAX_VALIDITY_MS),
    source: fc.constantFrom('probe', 'Zoë', '\u{10ffff}'),
  })
  .map(({ source, ...rest }): Check => aCheck({ ...rest, provenance: aProvenance({ source, observedAt: rest.checkedAt }) }));

/** Puts a batch, and removes one of the stored checks. Then the clock advances. */
interface Step {
  readonly batch: readonly Check[];
  readonly removed: number | null;
  readonly pause: number;
}

const step = fc.record({
  batch: fc.array(someCheck, { maxLength: 12 }),
  removed: fc.option(fc.nat(), { nil: null, freq: 4 }),
  pause: fc.constantFrom(0, 7 * SECOND, 61 * SECOND, HOUR, 20 * HOUR),
});

const [LATE, EARLY, NEWEST] = [TODAY - 12 * HOUR, TODAY - 21 * HOUR, TODAY + 5 * HOUR];
const checkAt = (checkedAt: Instant): Check =>
  aCheck({ serviceKey: 'acme:api', checkedAt, provenance: aProvenance({ source: 'probe', observedAt: checkedAt }) });
const putting = (...times: readonly Instant[]): Step => ({ batch: times.map(checkAt), removed: null, pause: 0 });
const removing = (removed: number): Step => ({ batch: [], removed, pause: 0 });

/** Checks at only a few times, so that the newest one is often added and removed. */
const stepAtFewMoments = fc.record({
  batch: fc.array(fc.constantFrom(TODAY - 3 * DAY, EARLY, LATE, TODAY + 30 * MINUTE, NEWEST).map(checkAt), { maxLength: 2 }),
  removed: fc.option(fc.nat({ max: 4 }), { nil: null }),
  pause: fc.constantFrom(0, SECOND),
});

const someSteps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  fc.array(step, { minLength: 1, maxLength: 8 }),
  fc.array(stepAtFewMoments, { minLength: 3, maxLength: 8 }),
);

/** A case in which the newest check is removed: what a reader remembers must not hide it. */
const removals = [
  [putting(EARLY, NEWEST), removing(1), putting(LATE), putting(NEWEST)],
  [putting(NEWEST), removing(0), putting(LATE, NEWEST)],
];

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
    return [...this.#checks.values()].filter((check) => check.serviceKey === serviceKey);
  }
}

/** The expected result, computed only from the raw checks. */
function expected(checks: readonly Check[], windows: readonly Window[], now: Instant): unknown {
  const counted = checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null).sort((a, b) => a.checkedAt - b.checkedAt);
  const times = counted.map(({ checkedAt }) => Math.min(checkedAt, now));
  if (counted.length === 0) return null;
  return {
    trackedFrom: times[0],
    lastCheckedAt: times.at(-1),
    newest: bySource(new Map(counted.map((check) => [check.provenance.source, check])).values()),
    newestKnown: bySource(new Map(counted.filter(({ state }) => state !== 'unknown').map((check) => [check.provenance.source, check])).values()),
    stateSince: tallyOf(checks, { from: times[0] ?? 0, to: now }, now).changedAt ?? times[0],
    tallies: windows.map((window) => tallyOf(checks, window, now)),
    today: tallyOf(checks, { from: startOfDay(now), to: now }, now),
  };
}

async function found(reader: CheckReader, serviceKey: string, windows: readonly Window[], now: Instant): Promise<unknown> {
  const evidence = (await evidenceFrom(reader, { serviceKeys: null, windows, now }, context)).get(serviceKey);
  if (evidence === undefined) return null;
  const { trackedFrom, lastCheckedAt, stateSince, newest, newestKnown, tallies, today } = evidence;
  return { trackedFrom, lastCheckedAt, stateSince, newest: bySource(newest), newestKnown: bySource(newestKnown), tallies, today };
}

function bySource(checks: Iterable<Check>): Check[] {
  return [...checks].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
}

describeMongo('the history of checks', (databases) => {
  let db: Db;

  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });

  it(
    'is counted exactly as from raw checks, while checks arrive late, arrive twice and are removed, and time passes',
    async () => {
      const lengths = fc.array(fc.oneof(fc.nat({ max: 6 * DAY }), fc.nat({ max: 60 * DAY })), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(someSteps, lengths, async (steps, windowLengths) => {
          await emptyChecks(db);
          const clock = new StandingClock(NOW);
          const standing = new Standing();
          const [writer, reader] = [checkWriter(db, clock), checkReader(db, clock)];
          for (const { batch, removed, pause } of steps) {
            await writer.put(checkItems(batch), context);
            for (const check of batch) standing.put(check);
            const gone = removed === null ? null : standing.remove(removed);
            if (gone !== null) expect(await writer.remove([identityOf(gone)], context)).toBe(1);
            clock.set(clock.now() + pause);
            const now = clock.now();
            const others = windowLengths.map((length) => ({ from: startOfHour(now - DAY - length), to: now }));
            const windows = [...uptimeWindows(now), ...others];
            for (const key of ['acme:api', 'acme:docs'])
              expect(await found(reader, key, windows, now)).toEqual(expected(standing.of(key), windows, now));
          }
        }),
        {
          numRuns: torture ? 1_000 : 1,
          endOnFailure: !torture,
          examples: removals.map((steps): [Step[], number[]] => [steps, [4 * DAY]]),
        },
      );
    },
    torture ? 1_800_000 : 120_000,
  );

  it(
    'is stored identically in any order and any batches, and after a rebuild',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(someCheck, { minLength: 1, maxLength: torture ? 40 : 12 }),
          fc.infiniteStream(fc.nat({ max: 9 })),
          async (checks, random) => {
            const clock = new StandingClock(NOW);
            const put = async (order: readonly Check[], size: () => number) => {
              await emptyChecks(db);
              for (let start = 0; start < order.length;) {
                const end = start + size();
                await checkWriter(db, clock).put(checkItems(order.slice(start, end)), context);
                start = end;
              }
              return derivedDocuments(db);
            };
            const shuffled = checks.map((check) => ({ check, at: random.next().value ?? 0 })).sort((a, b) => a.at - b.at);
            const sorted = await put(
              [...checks].sort((a, b) => a.checkedAt - b.checkedAt),
              () => checks.length,
            );
            const inRandomOrder = await put(
              shuffled.map(({ check }) => check),
              () => 1 + (random.next().value ?? 0),
            );
            expectSame(inRandomOrder, sorted);
            const options = { clock, retentionMs: RETENTION_MS, ...context, onProgress: () => undefined };
            await rebuildDays(new Commits(new Collections(db), null), options);
            expectSame(await derivedDocuments(db), sorted);
            await emptied(db, ['status_days', 'status_hours', 'status_trails']);
            await rebuildDays(new Commits(new Collections(db), null), options);
            expectSame(await derivedDocuments(db), sorted);
          },
        ),
        { numRuns: torture ? 500 : 1, endOnFailure: !torture },
      );
    },
    torture ? 1_800_000 : 120_000,
  );
});
