import { DAY, NO_REPOSITORY, syncOf, type Sync } from '@vitrine/core';
import { CurrentApproval, hiddenRepositorySync, storedApprovalsOf } from './approvals.js';
import { Scheduler, type SchedulerOptions } from './scheduler.js';
import { SourceRegistry } from './source-registry.js';
import type { RunReport, Source, SourceContext, Registration } from './source.js';
import { completedSync } from './registered-source.js';
import { FakeStore } from '../testing/fake-store.js';
import { wrappedWriter } from './vouching.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const REPORT: RunReport = { stored: 0, unchanged: 0, removed: 0, warnings: [] };

function registrationOf(fullName: `${string}/${string}`): Registration {
  return { id: `git:${fullName}`, sourceType: 'git', label: fullName, repositoryRef: fullName, feeds: ['commit'] };
}

/** A source whose runs end as `run` says; by default they complete. */
function gitSource(fullName: `${string}/${string}`, run?: (context: SourceContext) => Promise<RunReport>): Source {
  const registration = registrationOf(fullName);
  const completes = async (context: SourceContext): Promise<RunReport> => {
    const before = await context.collection.sync(registration.id, context);
    await context.writer.put([completedSync(registration, 60_000, before, { at: context.clock.now(), state: 'memory' })], context);
    return REPORT;
  };
  return { id: `git ${fullName}`, intervalMs: 60_000, registration, run: run ?? completes };
}

/** Such as the services of a configuration: it has no sync record that is published. */
const UNREGISTERED: Source = { id: 'services', intervalMs: 60_000, run: () => Promise.resolve(REPORT) };

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const failsWith = (error: Error) => () => Promise.reject(error);

describe('a scheduler', () => {
  let store: FakeStore;
  let now: number;
  beforeEach(() => ([store, now] = [new FakeStore(), NOW]));

  const schedulerOf = (more: Pick<SchedulerOptions, 'isForeign' | 'configuration' | 'approved' | 'candidates'>) =>
    new Scheduler({ writer: store, collection: store, clock: { now: () => now }, ...more });
  const runOnce = (sources: readonly Source[], isForeign?: (id: string) => boolean) => schedulerOf(isForeign ? { isForeign } : {}).runOnce(sources);
  const syncs = (): Sync[] => store.all.filter((record) => record.kind === 'sync' && record.sourceType !== 'configuration') as Sync[];
  const ids = (): string[] => syncs().map(({ id }) => id);

  it('stores a pending sync record for every source before the first one runs', async () => {
    const seen: Sync[][] = [];
    const looks = () => (seen.push(syncs()), Promise.resolve(REPORT));
    await runOnce([gitSource('acme/a', looks), gitSource('acme/b')]);
    expect(seen).toMatchObject([
      [
        { id: 'git:acme/a', sourceType: 'git', label: 'acme/a', repositoryRef: 'acme/a', feeds: ['commit'], intervalMs: 60_000, lastSuccessAt: null },
        { id: 'git:acme/b', firstAttemptAt: null, lastAttemptAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null, state: null },
      ],
    ]);
  });

  it('shows a repository again when the source of the forge that has hidden it leaves the configuration', async () => {
    let named = ['acme/a', 'acme/b'];
    const approvals = () => ({
      approved: named.map((fullName) => ({ fullName, owner: 'acme', name: fullName.slice(5), forgeId: null })),
      patterns: [],
    });
    const approval = new CurrentApproval(approvals, () => storedApprovalsOf(store.all.filter((record) => record.kind === 'sync')));
    const collect = (...sources: readonly Source[]) =>
      schedulerOf({ approved: () => approval.current(), candidates: () => approval.candidates() }).runOnce(sources);
    const shown = () => approval.current().refs;
    const forge: Source = { ...UNREGISTERED, registration: { ...registrationOf('acme/a'), id: 'github:acme/a', sourceType: 'github' } };
    await collect(forge, gitSource('acme/b'));
    await store.put(['acme/a', 'acme/b'].map((name) => hiddenRepositorySync(name, { since: NOW, reason: 'gone', at: NOW, intervalMs: 60_000 })));
    await collect(forge);
    expect(shown()).toEqual([]);
    // Nobody says any more whether the forge shows it.
    named = ['acme/b'];
    await collect(UNREGISTERED);
    named = ['acme/a', 'acme/b'];
    expect(shown()).toEqual([]);
    await collect(UNREGISTERED);
    expect([shown(), ids()]).toEqual([['acme/a'], []]);
  });

  it('keeps what a source has left when it starts again', async () => {
    await runOnce([gitSource('acme/a')]);
    now += 1_000;
    await runOnce([gitSource('acme/a', () => Promise.resolve(REPORT))]);
    expect(syncs()).toMatchObject([{ lastSuccessAt: NOW, state: 'memory' }]);
  });

  it('keeps the first attempt, the last one and the last failure with its code, and no message', async () => {
    await runOnce([gitSource('acme/a', failsWith(Object.assign(new Error('https://secret@host'), { code: 'ENOENT' })))]);
    expect(syncs()).toMatchObject([{ firstAttemptAt: NOW, lastAttemptAt: NOW, lastSuccessAt: null, lastFailureAt: NOW, lastFailureCode: 'ENOENT' }]);
    now += 1_000;
    await runOnce([gitSource('acme/a')]);
    now += 1_000;
    await runOnce([gitSource('acme/a', failsWith(new Error('/srv/secret')))]);
    const times = {
      firstAttemptAt: NOW,
      lastAttemptAt: NOW + 2_000,
      lastSuccessAt: NOW + 1_000,
      lastFailureAt: NOW + 2_000,
      lastFailureCode: 'FAILED',
    };
    expect(syncs()).toMatchObject([{ ...times, state: 'memory' }]);
    expect(JSON.stringify(store.all)).not.toContain('secret');
  });

  it('removes the sync record of a source that the configuration has dropped, and leaves those of other writers', async () => {
    await store.put([syncOf({ id: 'git:acme/theirs', repositoryRef: NO_REPOSITORY, feeds: [], intervalMs: 1, lastSuccessAt: NOW, state: null })]);
    await runOnce([gitSource('acme/a'), gitSource('acme/b')]);
    await runOnce([gitSource('acme/b')]);
    expect(ids()).toEqual(['git:acme/b', 'git:acme/theirs']);
    await runOnce([gitSource('acme/a'), gitSource('acme/b')]);
    expect(ids()).toEqual(['git:acme/a', 'git:acme/b', 'git:acme/theirs']);
  });

  it('leaves sources of its configuration that another process runs', async () => {
    await runOnce([gitSource('acme/a'), gitSource('acme/b')]);
    await runOnce([gitSource('acme/b')], (id) => id === 'git:acme/a');
    expect(ids()).toEqual(['git:acme/a', 'git:acme/b']);
    await runOnce([gitSource('acme/b')]);
    expect(ids()).toEqual(['git:acme/b']);
  });

  it('leaves the sync records of another configuration of the store, which starts in turn with it', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await schedulerOf({ configuration: '/srv/a.yaml' }).runOnce([gitSource('acme/a'), gitSource('acme/both')]);
      await schedulerOf({ configuration: '/srv/b.yaml' }).runOnce([gitSource('acme/b'), gitSource('acme/both')]);
      expect(syncs().map(({ id, lastSuccessAt }) => [id, lastSuccessAt !== null])).toEqual([
        ['git:acme/a', true],
        ['git:acme/b', true],
        ['git:acme/both', true],
      ]);
    }
    await schedulerOf({ configuration: '/srv/a.yaml' }).runOnce([UNREGISTERED]);
    expect(ids()).toEqual(['git:acme/b', 'git:acme/both']);
    await schedulerOf({ configuration: '/srv/b.yaml' }).runOnce([UNREGISTERED]);
    expect([ids(), JSON.stringify(store.all).includes('srv')]).toEqual([[], false]);
  });

  it('removes the sync records of a configuration that nobody has collected with for 30 days, such as one whose file was renamed', async () => {
    await schedulerOf({ configuration: '/srv/old.yaml' }).runOnce([gitSource('acme/a'), gitSource('acme/b')]);
    now += 30 * DAY;
    await schedulerOf({ configuration: '/srv/new.yaml' }).runOnce([gitSource('acme/b')]);
    expect(ids()).toEqual(['git:acme/a', 'git:acme/b']);
    now += 1;
    await schedulerOf({ configuration: '/srv/new.yaml' }).runOnce([gitSource('acme/b')]);
    expect(ids()).toEqual(['git:acme/b']);
  });

  it('says once a day that its configuration is alive', async () => {
    const scheduler = schedulerOf({ configuration: '/srv/a.yaml' });
    const source = gitSource('acme/a');
    for (let day = 0; day < 40; day++, now += DAY + 1) await scheduler.runOnce([source]);
    await schedulerOf({ configuration: '/srv/b.yaml' }).runOnce([UNREGISTERED]);
    expect(ids()).toEqual(['git:acme/a']);
  });

  it('keeps no sync record of a source that is dropped in the middle of a run, however the run ends', async () => {
    for (const end of ['completes', 'fails'] as const) {
      let finish = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const { registration } = gitSource('acme/a');
      const slow = gitSource('acme/a', async ({ writer, signal }) => {
        await finished;
        if (end === 'fails') throw new Error('broken');
        await writer.put([completedSync(registration as Registration, 60_000, null, { at: NOW, state: null })], { signal });
        return REPORT;
      });
      const scheduler = schedulerOf({});
      scheduler.start([slow]);
      await settled();
      expect(ids()).toEqual(['git:acme/a']);
      scheduler.replace([]);
      await settled();
      finish();
      await settled();
      await scheduler.stop();
      expect(ids()).toEqual([]);
    }
  });

  it('starts again for another repository of the same name', async () => {
    await store.put([
      syncOf({ id: 'git:acme/a', repositoryRef: 'acme/a#7', feeds: ['commit'], intervalMs: 1, lastSuccessAt: NOW - 1, state: 'of the other' }),
    ]);
    await runOnce([gitSource('acme/a', () => Promise.resolve(REPORT))]);
    expect(syncs()).toMatchObject([{ repositoryRef: 'acme/a', lastSuccessAt: null, state: null }]);
  });

  it('registers once at a time, also if the withdrawal of a source fails after the configuration has changed again', async () => {
    const [a, b, c] = [gitSource('acme/a'), gitSource('acme/b'), gitSource('acme/c')] as const;
    let reads = 0;
    let fail: (error: Error) => void = () => undefined;
    const collection = Object.assign(Object.create(store) as FakeStore, {
      sync: (...given: Parameters<FakeStore['sync']>) => (given[0] === 'configuration:sources' && reads++, store.sync(...given)),
    });
    const writer = { ...wrappedWriter(store), withdraw: () => new Promise<number>((_, reject) => (fail = reject)) };
    const registry = new SourceRegistry({ writer, collection, clock: { now: () => now } }, new AbortController().signal);
    registry.follow([a, b]);
    await registry.register();
    registry.follow([a]);
    await registry.register();
    registry.follow([a, c]);
    const begun = registry.register();
    await settled();
    // It waits for the withdrawal, which writes the same record.
    expect(reads).toBe(2);
    fail(new Error('unavailable'));
    await settled();
    await Promise.all([begun, registry.register()]);
    expect([reads, ids()]).toEqual([3, ['git:acme/a', 'git:acme/c']]);
  });

  it('runs nothing until its sources are registered, and tries again with the next run', async () => {
    const refused = jest.spyOn(store, 'put').mockRejectedValueOnce(new Error('disk full'));
    let runs = 0;
    const counts = () => ((runs += 1), Promise.resolve(REPORT));
    const outcomes = await runOnce([gitSource('acme/a', counts), gitSource('acme/b', counts)]);
    refused.mockRestore();
    expect([runs, outcomes.map(({ report }) => report !== null), ids()]).toEqual([1, [false, true], ['git:acme/a', 'git:acme/b']]);
  });
});
