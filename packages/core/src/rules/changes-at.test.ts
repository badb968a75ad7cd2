import fc from 'fast-check';
import { SERVICE_STATES } from '../kinds/check.js';
import { DAY, HOUR, type Instant, MINUTE, SECOND, earliestOf } from '../kinds/instant.js';
import { NO_REPOSITORY } from '../kinds/repository-name.js';
import type { Sync } from '../kinds/sync.js';
import { NOW, aCheck, aService, aSync } from '../testing/index.js';
import { type AnswerKinds, EVERY_SOURCE, freshnessOf, sourceStateChangesAt, sourceStateOf } from './freshness.js';
import { currentState, currentStateChangesAt, overallStateChangesAt, serviceStatusOf, statusJudgedAgain } from './service-status.js';
import { sameInAnswers } from './stored-record.js';
import { NO_TALLY } from './uptime.js';

const commits: AnswerKinds = { kinds: ['commit'], shown: ['commit'], scope: EVERY_SOURCE };
const synced = (age: number, over: Partial<Sync> = {}) => aSync({ lastSuccessAt: NOW - age, ...over });
const changesAt = (...syncs: readonly Sync[]) => freshnessOf(commits, syncs, NOW).changesAt;

/** Times close to each other, so that limits are met exactly. */
const time = fc.integer({ min: -20 * 60, max: 20 * 60 }).map((seconds) => NOW + seconds * SECOND);
const maybeTime = fc.option(time, { nil: null });
const now = fc.tuple(time, fc.constantFrom(-1, 0, 1)).map(([at, off]) => at + off);
const anySync = fc
  .record({
    repositoryRef: fc.constantFrom('acme/widget', 'acme/gadget', NO_REPOSITORY),
    feeds: fc.subarray(['commit', 'release', 'news'] as const),
    intervalMs: fc.constantFrom(10 * SECOND, MINUTE, 5 * MINUTE),
    firstAttemptAt: maybeTime,
    lastAttemptAt: maybeTime,
    lastSuccessAt: maybeTime,
    lastFailureAt: maybeTime,
  })
  .map((over) => aSync(over));
const anyAnswer = fc.record({
  kinds: fc.subarray(['commit', 'release', 'news'] as const),
  shown: fc.subarray(['commit', 'release', 'news'] as const),
  scope: fc.constantFrom(EVERY_SOURCE, { repositoryRef: 'acme/widget' } as const),
});
const anyCheck = fc
  .record({ checkedAt: time, validForMs: fc.constantFrom(MINUTE, 15 * MINUTE), state: fc.constantFrom(...SERVICE_STATES) })
  .map((over) => aCheck(over));

/** Moments from now up to, but not including, the end; also the last one. Without an end, moments of the next year. */
function momentsBefore(end: Instant | null, from: Instant, shares: readonly number[]): Instant[] {
  const length = (end ?? from + 365 * DAY) - from;
  return [...shares.map((share) => from + Math.floor(share * (length - 1))), from + length - 1];
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });

describe('changesAt of a freshness', () => {
  it.each([
    ['the first millisecond after twice the interval of a source', [synced(MINUTE)], NOW + 9 * MINUTE + 1],
    ['two minutes after a run when the interval is short', [synced(MINUTE, { intervalMs: SECOND })], NOW + MINUTE + 1],
    ['the earliest of several sources', [synced(MINUTE), synced(3 * MINUTE), synced(2 * MINUTE)], NOW + 7 * MINUTE + 1],
    ['the same whether the last run failed or not', [synced(MINUTE, { lastFailureAt: NOW })], NOW + 9 * MINUTE + 1],
    ['the moment at which a run that is dated in the future can be believed', [synced(-DAY)], NOW + DAY - 5 * MINUTE],
    ['none without a source', [], null],
    ['none when every source is late', [synced(DAY)], null],
    ['none when no source has completed a run', [aSync({ lastSuccessAt: null, lastFailureAt: NOW })], null],
    ['none by a source that feeds another kind', [synced(MINUTE, { feeds: ['news'] })], null],
  ] as const)('is %s', (_, syncs, moment) => {
    expect(changesAt(...syncs)).toBe(moment);
  });

  it('depends in an answer of one repository on the sources of this repository only', () => {
    const syncs = [synced(MINUTE), synced(9 * MINUTE, { repositoryRef: 'acme/gadget' })];
    expect(freshnessOf({ ...commits, scope: { repositoryRef: 'acme/widget' } }, syncs, NOW).changesAt).toBe(NOW + 9 * MINUTE + 1);
  });

  it('is never later than the first change of the status or of a warning', () => {
    fc.assert(
      fc.property(anyAnswer, fc.array(anySync, { maxLength: 5 }), now, shares, (answer, syncs, at, parts) => {
        const { changesAt: end, ...before } = freshnessOf(answer, syncs, at);
        expect(end ?? Infinity).toBeGreaterThan(at);
        for (const moment of momentsBefore(end, at, parts)) expect(freshnessOf(answer, syncs, moment)).toMatchObject(before);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 300 : 20 },
    );
  });

  it('is exactly the first change when the answer has one source and one kind', () => {
    fc.assert(
      fc.property(anySync, now, (sync, at) => {
        const fed = { ...sync, feeds: ['commit' as const] };
        const { changesAt: end, dataStatus } = freshnessOf(commits, [fed], at);
        fc.pre(end !== null);
        expect(freshnessOf(commits, [fed], end).dataStatus).not.toBe(dataStatus);
      }),
    );
  });
});

describe('sourceStateChangesAt', () => {
  it('counts the moment at which a failure that is dated in the future can be believed', () => {
    const sync = synced(0, { intervalMs: DAY, lastAttemptAt: NOW, lastFailureAt: NOW + DAY + 12 * HOUR });
    expect([sourceStateOf(sync, NOW), sourceStateChangesAt(sync, NOW)]).toEqual(['fresh', NOW + 12 * HOUR]);
    expect(sourceStateOf(sync, NOW + 12 * HOUR)).toBe('failing');
  });

  it('is exactly the first moment at which the state of a source is another one', () => {
    fc.assert(
      fc.property(anySync, now, shares, (sync, at, parts) => {
        const [state, end] = [sourceStateOf(sync, at), sourceStateChangesAt(sync, at)];
        for (const moment of momentsBefore(end, at, parts)) expect(sourceStateOf(sync, moment)).toBe(state);
        if (end !== null) expect(sourceStateOf(sync, end)).not.toBe(state);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 300 : 20 },
    );
  });
});

describe('currentStateChangesAt', () => {
  it.each([
    ['the end of the validity of a single check', [aCheck({ checkedAt: NOW - MINUTE })], NOW + 14 * MINUTE],
    ['none when no check is valid', [aCheck({ checkedAt: NOW - 15 * MINUTE })], null],
    ['none when the state is unknown with the check and without it', [aCheck({ state: 'unknown' })], null],
    [
      'the end of the worst check, although a better one ends earlier',
      [aCheck({ checkedAt: NOW - 9 * MINUTE }), aCheck({ checkedAt: NOW - MINUTE, state: 'outage' })],
      NOW + 14 * MINUTE,
    ],
  ] as const)('is %s', (_, checks, moment) => {
    expect(currentStateChangesAt(checks, NOW)).toBe(moment);
  });

  it('is exactly the first moment at which the state is another one', () => {
    fc.assert(
      fc.property(fc.array(anyCheck, { maxLength: 4 }), now, shares, (checks, at, parts) => {
        const [state, end] = [currentState(checks, at), currentStateChangesAt(checks, at)];
        for (const moment of momentsBefore(end, at, parts)) expect(currentState(checks, moment)).toBe(state);
        if (end !== null) expect(currentState(checks, end)).not.toBe(state);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 300 : 20 },
    );
  });
});

describe('overallStateChangesAt', () => {
  const anyService = fc.record({ newest: fc.array(anyCheck, { maxLength: 3 }), dependency: fc.boolean() }).map(({ newest, dependency }) => {
    const evidence = {
      trackedFrom: NOW - DAY,
      lastCheckedAt: NOW,
      stateSince: NOW - DAY,
      newest,
      newestKnown: [],
      tallies: [],
      today: NO_TALLY,
      thisHour: NO_TALLY,
      ever: NO_TALLY,
      recentMs: [],
    };
    return serviceStatusOf(aService({ dependency }), evidence, NOW);
  });

  it('is exactly the first moment at which the overall state is another one', () => {
    fc.assert(
      fc.property(fc.array(anyService, { maxLength: 4 }), now, shares, (services, at, parts) => {
        const incidents = { current: [], historicalAvailable: false };
        const overview = statusJudgedAgain({ overallState: 'unknown', services, incidents, observedAt: NOW }, at);
        const end = overallStateChangesAt(overview, at);
        const stateAt = (moment: Instant) => statusJudgedAgain(overview, moment).overallState;
        for (const moment of momentsBefore(end, at, parts)) expect(stateAt(moment)).toBe(overview.overallState);
        if (end !== null) expect(stateAt(end)).not.toBe(overview.overallState);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 300 : 20 },
    );
  });
});

describe('earliestOf', () => {
  it('leaves out what is null, and is null without a moment', () => {
    expect([earliestOf([null, 5, 3, null, 4]), earliestOf([null]), earliestOf([])]).toEqual([3, null, null]);
  });
});

describe('sameInAnswers', () => {
  it.each([
    ['a later attempt that failed', { lastAttemptAt: NOW, lastFailureAt: NOW, lastFailureCode: 'ENOENT' }, true],
    ['another state of the source', { state: 'next page' }, true],
    ['a run that has completed', { lastSuccessAt: NOW }, false],
    ['another interval', { intervalMs: MINUTE }, false],
    ['other kinds', { feeds: ['news'] }, false],
    ['another repository', { repositoryRef: 'acme/gadget' }, false],
  ] as const)('of a source after %s is %p', (_, over, same) => {
    expect(sameInAnswers(aSync(), aSync(over))).toBe(same);
  });

  it('means that every answer has the same freshness at any moment', () => {
    const later = fc.record(
      { firstAttemptAt: maybeTime, lastAttemptAt: maybeTime, lastSuccessAt: maybeTime, lastFailureAt: maybeTime },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyAnswer, anySync, later, now, (answer, sync, over, at) => {
        const after = { ...sync, ...over };
        fc.pre(sameInAnswers(sync, after));
        expect(freshnessOf(answer, [after], at)).toEqual(freshnessOf(answer, [sync], at));
      }),
    );
  });
});
