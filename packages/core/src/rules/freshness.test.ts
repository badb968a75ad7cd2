import fc from 'fast-check';
import { DAY, MINUTE, SECOND } from '../kinds/instant.js';
import { NO_REPOSITORY, type ScopeRef } from '../kinds/repository-name.js';
import { SYNCED_KINDS, type Sync } from '../kinds/sync.js';
import { NOW, aSync } from '../testing/index.js';
import { type AnswerKinds, type DataStatus, EVERY_SOURCE, combinedStatus, freshnessOf, sourceStateOf } from './freshness.js';

const STATUSES: readonly DataStatus[] = ['unavailable', 'partial', 'stale', 'unknown', 'fresh'];
const NEVER = { firstAttemptAt: null, lastAttemptAt: null, lastSuccessAt: null } as const;
const synced = (age: number, over: Partial<Sync> = {}) => aSync({ lastSuccessAt: NOW - age, ...over });
const commits: AnswerKinds = { kinds: ['commit'], shown: ['commit'], scope: EVERY_SOURCE };
const statusOf = (...syncs: readonly Sync[]) => freshnessOf(commits, syncs, NOW).dataStatus;

describe('sourceStateOf', () => {
  it.each([
    ['pending before its first run has ended', aSync(NEVER), 'pending'],
    ['failing when its first run failed', aSync({ ...NEVER, lastFailureAt: NOW }), 'failing'],
    ['failing when its last run failed', aSync({ lastSuccessAt: NOW - MINUTE, lastFailureAt: NOW }), 'failing'],
    ['failing rather than late', synced(DAY, { lastFailureAt: NOW }), 'failing'],
    ['fresh when a run completed after one that failed', aSync({ lastFailureAt: NOW - 2 * MINUTE }), 'fresh'],
    ['fresh at twice its interval', synced(10 * MINUTE), 'fresh'],
    ['late after twice its interval', synced(10 * MINUTE + 1), 'late'],
    ['fresh for two minutes, however short its interval is', synced(2 * MINUTE, { intervalMs: 10 * SECOND }), 'fresh'],
    ['late after two minutes with a short interval', synced(2 * MINUTE + 1, { intervalMs: 10 * SECOND }), 'late'],
    ['fresh when its last run is ahead by one interval', synced(-5 * MINUTE), 'fresh'],
    ['late when its last run is ahead by more than one interval', synced(-5 * MINUTE - 1), 'late'],
    ['fresh when its last run is ahead by two minutes, however short its interval is', synced(-2 * MINUTE, { intervalMs: 10 * SECOND }), 'fresh'],
    ['late when its last run is ahead by more than that', synced(-2 * MINUTE - 1, { intervalMs: 10 * SECOND }), 'late'],
    ['late when its last run is a year ahead', synced(-365 * DAY), 'late'],
    ['failing when a run failed after one that is dated ahead', synced(-DAY, { lastAttemptAt: NOW - MINUTE, lastFailureAt: NOW }), 'failing'],
    ['late when the last run is dated ahead, after one that failed', synced(-DAY, { lastAttemptAt: NOW + DAY, lastFailureAt: NOW }), 'late'],
    ['fresh when a run completed after a failure that is dated ahead', synced(0, { lastAttemptAt: NOW, lastFailureAt: NOW + DAY }), 'fresh'],
  ] as const)('is %s', (_, sync, state) => {
    expect(sourceStateOf(sync, NOW)).toBe(state);
  });
});

describe('freshnessOf', () => {
  it('is that of the worst source, in any order', () => {
    const runs = [synced(MINUTE), synced(60 * MINUTE), aSync({ ...NEVER, lastFailureAt: NOW })];
    expect([statusOf(...runs), statusOf(...runs.reverse())]).toEqual(['partial', 'partial']);
    expect(statusOf(synced(MINUTE), synced(60 * MINUTE))).toBe('stale');
  });

  it('is fresh while a source fails that is not late yet', () => {
    expect(freshnessOf(commits, [synced(MINUTE, { lastFailureAt: NOW })], NOW)).toMatchObject({ dataStatus: 'fresh', warnings: [] });
  });

  it('is stale while the last run of a source is dated in the future, in any order and until the clock has come near', () => {
    const ahead = synced(-365 * DAY);
    expect([statusOf(synced(MINUTE), ahead), statusOf(ahead, synced(MINUTE))]).toEqual(['stale', 'stale']);
    expect(freshnessOf(commits, [ahead], NOW + 365 * DAY - MINUTE).dataStatus).toBe('fresh');
    const never = aSync({ ...NEVER, lastFailureAt: NOW });
    expect(statusOf(ahead, never)).toBe('partial');
  });

  it('says that the time is in the future, unless another source is late by a time that is known', () => {
    const warnings = (...syncs: readonly Sync[]) => freshnessOf(commits, syncs, NOW).warnings;
    expect(warnings(synced(-DAY), synced(-2 * DAY))).toEqual([
      {
        code: 'SOURCE_LATE',
        source: 'commit',
        detail: 'The last completed run of a source of commit records is dated in the future, so its age is not known.',
      },
    ]);
    expect(warnings(synced(-DAY), synced(DAY))).toEqual(warnings(synced(DAY)));
  });

  it('is fresh only by a run that was completed close to now', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400 * DAY, max: 400 * DAY }), fc.integer({ min: SECOND, max: DAY }), (age, intervalMs) => {
        const isNear = age <= Math.max(2 * intervalMs, 2 * MINUTE) && -age <= Math.max(intervalMs, 2 * MINUTE);
        expect(statusOf(synced(age, { intervalMs }))).toBe(isNear ? 'fresh' : 'stale');
      }),
    );
  });

  it('is unknown for a shown kind that no source feeds, and says nothing of one that is not shown', () => {
    expect(statusOf()).toBe('unknown');
    expect(freshnessOf({ kinds: ['commit', 'news'], shown: ['news'], scope: EVERY_SOURCE }, [aSync()], NOW).dataStatus).toBe('unknown');
    expect(freshnessOf({ kinds: ['commit', 'news'], shown: [], scope: EVERY_SOURCE }, [aSync()], NOW).dataStatus).toBe('fresh');
  });

  it('names each kind that is incomplete or late once, with the time since when', () => {
    const syncs = [
      aSync({ ...NEVER, firstAttemptAt: NOW - DAY, lastFailureAt: NOW, feeds: ['commit'] }),
      aSync({ ...NEVER, firstAttemptAt: NOW - MINUTE, lastFailureAt: NOW, feeds: ['commit'] }),
      aSync({ ...NEVER, feeds: ['release'] }),
      synced(DAY, { feeds: ['commit'] }),
    ];
    expect(freshnessOf({ kinds: ['commit', 'release'], shown: [], scope: EVERY_SOURCE }, syncs, NOW).warnings).toEqual([
      {
        code: 'SOURCE_INCOMPLETE',
        source: 'commit',
        detail: 'The first collection from a source of commit records has failed since 2026-11-19T13:59:20.000Z.',
      },
      { code: 'SOURCE_LATE', source: 'commit', detail: 'A source of commit records has not completed a run since 2026-11-19T13:59:20.000Z.' },
      { code: 'SOURCE_INCOMPLETE', source: 'release', detail: 'The first collection from a source of release records is running.' },
    ]);
  });

  it.each([
    ['its own source', { repositoryRef: 'acme/widget' }, 'fresh'],
    ['another repository', { repositoryRef: 'acme/gadget' }, 'partial'],
    ['no repository', { repositoryRef: NO_REPOSITORY }, 'unknown'],
  ] as const)('depends in an answer of one repository on %s only', (_, scope, dataStatus) => {
    const syncs = [aSync(), aSync({ ...NEVER, id: 'git:acme/gadget', repositoryRef: 'acme/gadget' })];
    expect(freshnessOf({ ...commits, scope }, syncs, NOW).dataStatus).toBe(dataStatus);
  });

  it('counts the probes of its own service only, and every source that checks no single service', () => {
    const probe = (key: string, over: Partial<Sync> = {}) =>
      aSync({ id: `probe:${key}`, sourceType: 'probe', repositoryRef: NO_REPOSITORY, feeds: ['check'], ...over });
    const records = aSync({ ...NEVER, id: 'records:x', sourceType: 'records', repositoryRef: NO_REPOSITORY, feeds: ['check'] });
    const of = (serviceKey: string, ...syncs: readonly Sync[]) =>
      freshnessOf({ kinds: ['check'], shown: ['check'], scope: { serviceKey } }, syncs, NOW).dataStatus;
    const probes = [probe('acme:api'), probe('acme:web', NEVER)];
    expect([of('acme:api', ...probes), of('acme:web', ...probes), of('acme:db', ...probes)]).toEqual(['fresh', 'partial', 'unknown']);
    expect(of('acme:api', ...probes, records)).toBe('partial');
  });

  const repositoryRef = fc.constantFrom<ScopeRef>(NO_REPOSITORY, 'acme/widget', 'acme/gadget');
  const serviceKey = fc.constantFrom('acme:api', 'acme:web');
  const time = fc.option(
    fc.integer({ min: -30, max: 30 }).map((minutes) => NOW - minutes * MINUTE),
    { nil: null },
  );
  const kinds = fc.uniqueArray(fc.constantFrom(...SYNCED_KINDS), { maxLength: 4 });
  const times = fc.record({ feeds: kinds, lastSuccessAt: time, lastFailureAt: time, intervalMs: fc.constantFrom(10 * SECOND, 5 * MINUTE) });
  const anySync = fc.oneof(
    fc.tuple(times, repositoryRef).map(([over, ref]) => aSync({ ...over, repositoryRef: ref })),
    fc.tuple(times, serviceKey).map(([over, key]) => aSync({ ...over, repositoryRef: NO_REPOSITORY, id: `probe:${key}`, sourceType: 'probe' })),
  );
  const scope = fc.oneof(
    fc.constant({}),
    repositoryRef.map((ref) => ({ repositoryRef: ref })),
    serviceKey.map((key) => ({ serviceKey: key })),
  );

  it('equals the rule, spelt out source by source', () => {
    fc.assert(
      fc.property(fc.array(anySync, { maxLength: 6 }), kinds, kinds, scope, (syncs, asked, shown, within) => {
        const answer = { kinds: asked, shown, scope: within };
        expect(freshnessOf(answer, syncs, NOW).dataStatus).toBe(spelt(answer, syncs));
        const codes = freshnessOf(answer, syncs, NOW).warnings.map(({ code, source }) => `${source} ${code}`);
        expect(codes).toEqual([...new Set(codes)]);
      }),
    );
  });

  /** One verdict for each pair of a kind and a source; the first of the precedence that occurs. */
  function spelt({ kinds: asked, shown, scope: within }: AnswerKinds, syncs: readonly Sync[]): DataStatus {
    const verdicts: DataStatus[] = [];
    for (const kind of asked) {
      const before = verdicts.length;
      for (const sync of syncs) {
        const isElsewhere = within.repositoryRef !== undefined && ![within.repositoryRef, '-'].includes(sync.repositoryRef);
        const isOfAnother = within.serviceKey !== undefined && sync.id.startsWith('probe:') && sync.id !== `probe:${within.serviceKey}`;
        if (!sync.feeds.includes(kind) || isElsewhere || isOfAnother) continue;
        const state = sourceStateOf({ ...sync, lastFailureAt: null }, NOW);
        verdicts.push(state === 'pending' ? 'partial' : state === 'late' ? 'stale' : 'fresh');
      }
      if (verdicts.length === before && shown.includes(kind)) verdicts.push('unknown');
    }
    return STATUSES.find((status) => verdicts.includes(status)) ?? 'unknown';
  }
});

describe('combinedStatus', () => {
  it('lets the strongest count', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATUSES), { minLength: 1 }), (statuses) => {
        expect(combinedStatus(statuses)).toBe(STATUSES.find((status) => statuses.includes(status)));
      }),
    );
  });

  it('is unknown when there is nothing to judge', () => {
    expect(combinedStatus([])).toBe('unknown');
  });
});
