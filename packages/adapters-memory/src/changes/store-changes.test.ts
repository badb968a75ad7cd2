import {
  Allowlist,
  DAY,
  MINUTE,
  NO_REPOSITORY,
  startOfDay,
  type RecordIdentity,
  type StoreChange,
  type StoredRecord,
  type SyncedKind,
} from '@vitrine/core';
import {
  aCheck,
  aCommit,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aStatusDay,
  aSync,
  NOW,
  oneOfEach,
  someNews,
  StandingClock,
} from '@vitrine/core/testing';
import { openMemoryStore, type MemoryStoreOptions, type OpenMemoryStore } from '../index.js';

const context = { signal: new AbortController().signal };
const WIDGET = 'acme/widget';
const KEY = aService().key;
const ALL_FED: readonly SyncedKind[] = ['commit', 'release', 'repository'];

/** What the changes concern, in the order of the alphabet. */
function names(changes: readonly StoreChange[]): string[] {
  const all = changes.map(({ kind, repositoryRef, serviceKey, sync }) => {
    if (sync !== null) return `sync ${String(repositoryRef)} ${sync.feeds.join(',')}${sync.onlyAttempts ? ' only attempts' : ''}`;
    return `${kind} ${serviceKey ?? String(repositoryRef)}`;
  });
  return [...new Set(all)].sort();
}

/** An open store with some records, and the batches that it announces from then on. */
async function watched(records: readonly StoredRecord[] = [], options: Partial<MemoryStoreOptions> = {}) {
  const store = await openMemoryStore({ clock: new StandingClock(NOW), ...options });
  await store.writer.put(records, context);
  const batches: string[][] = [];
  const end = store.changes.subscribe((changes) => batches.push(names(changes)));
  return { store, batches, end };
}

const tally = (day: number) => aStatusDay({ serviceKey: KEY, day, coveredMs: 900, lastCheckedAt: day + 9, coveredUntil: day + 900 });
const OLD_DAY = startOfDay(NOW - 500 * DAY);

describe('changes of a memory store', () => {
  it.each<readonly [string, readonly StoredRecord[], readonly string[]]>([
    ['a commit', [aCommit()], [`commit ${WIDGET}`]],
    ['two commits of one repository', [aCommit(), aCommit({ sha: 'b'.repeat(40) })], [`commit ${WIDGET}`]],
    ['commits of two repositories', [aCommit(), aCommit({ repositoryRef: 'acme/gadget' })], [`commit ${WIDGET}`, 'commit acme/gadget']],
    ['a repository', [aRepositoryRecord()], [`repository ${WIDGET}`]],
    ['news and an incident', [someNews(), anIncident()], ['news -', 'incident -']],
    ['a service and its check', [aService(), aCheck()], [`service ${KEY}`, `check ${KEY}`]],
    ['checks of two services', [aCheck(), aCheck({ serviceKey: 'acme:docs' })], [`check ${KEY}`, 'check acme:docs']],
    ['the counts of a day', [tally(OLD_DAY)], [`status-day ${KEY}`]],
    ['the sync record of a new source', [aSync()], [`sync ${WIDGET} ${ALL_FED.join(',')}`]],
  ])('announce the kind and the repository or service of %s, once, when it is stored', async (_, records, expected) => {
    const { store, batches } = await watched();
    await store.writer.put(records, context);
    expect(batches).toEqual([[...expected].sort()]);
  });

  it('announce nothing when the same records are stored again, or nothing is removed or moved', async () => {
    const records = [...oneOfEach(), tally(OLD_DAY)];
    const { store, batches } = await watched(records);
    await store.writer.put(records, context);
    await store.writer.remove([{ kind: 'news', id: 'none' }], context);
    await store.writer.moveCommits(WIDGET, [{ sha: aCommit().sha, branch: aCommit().branch }], context);
    await store.writer.indexFor(Allowlist.of(WIDGET).approved(), context);
    batches.length = 0;
    await store.writer.indexFor(Allowlist.of(WIDGET).approved(), context);
    expect(batches).toEqual([]);
  });

  it('announce what is removed', async () => {
    const { store, batches } = await watched([someNews(), aCheck(), tally(OLD_DAY), aSync()]);
    const check: RecordIdentity = { kind: 'check', serviceKey: KEY, checkedAt: aCheck().checkedAt, source: aCheck().provenance.source };
    await store.writer.remove([someNews(), check, tally(OLD_DAY), aSync()], context);
    expect(batches).toEqual([[`check ${KEY}`, 'news -', `status-day ${KEY}`, `sync ${WIDGET} ${ALL_FED.join(',')}`]]);
  });

  it('announce the repository too when its latest release or activity changes, and only then', async () => {
    const { store, batches } = await watched([aRepositoryRecord(), aCommit()]);
    const earlier = aCommit({ sha: 'b'.repeat(40), committedAt: aCommit().committedAt - MINUTE });
    await store.writer.put([earlier], context);
    await store.writer.put([aRelease()], context);
    await store.writer.put([aCommit({ title: 'Another title' })], context);
    await store.writer.remove([aRelease()], context);
    const both = (kind: string): string[] => [`${kind} ${WIDGET}`, `repository ${WIDGET}`].sort();
    expect(batches).toEqual([[`commit ${WIDGET}`], both('release'), [`commit ${WIDGET}`], both('release')]);
  });

  it('announce commits that move to another branch', async () => {
    const { store, batches } = await watched([aRepositoryRecord(), aCommit()]);
    expect(await store.writer.moveCommits(WIDGET, [{ sha: aCommit().sha, branch: 'next' }], context)).toBe(1);
    expect(batches).toEqual([[`commit ${WIDGET}`]]);
  });

  it('say when only the times of attempts of a source have changed', async () => {
    const { store, batches } = await watched([aSync()]);
    const failed = aSync({ lastAttemptAt: NOW, lastFailureAt: NOW, lastFailureCode: 'ENOENT' });
    await store.writer.put([failed], context);
    await store.writer.put([{ ...failed, state: 'page 2' }], context);
    await store.writer.put([{ ...failed, lastSuccessAt: NOW }], context);
    const sync = `sync ${WIDGET} ${ALL_FED.join(',')}`;
    expect(batches).toEqual([[`${sync} only attempts`], [`${sync} only attempts`], [sync]]);
  });

  it('name what a source feeds now and what it fed before', async () => {
    const { store, batches } = await watched([aSync({ feeds: ['commit'] })]);
    await store.writer.put([aSync({ feeds: ['news'], repositoryRef: NO_REPOSITORY })], context);
    expect(batches).toEqual([['sync - commit,news', `sync ${WIDGET} commit,news`]]);
  });

  it('announce the records that search finds or no longer finds under another allowlist', async () => {
    const { store, batches } = await watched([aRepositoryRecord(), aCommit(), aCommit({ repositoryRef: 'acme/gadget' }), someNews()]);
    await store.writer.indexFor(Allowlist.of(WIDGET).approved(), context);
    await store.writer.indexFor(Allowlist.of(WIDGET, 'acme/gadget').approved(), context);
    expect(batches).toEqual([['commit acme/gadget'], ['commit acme/gadget']]);
  });

  it('announce the state that a source loses with the approval of its repository', async () => {
    const { store, batches } = await watched([aSync({ state: 'page 2' })]);
    await store.writer.indexFor(Allowlist.of('acme/gadget').approved(), context);
    expect(batches).toEqual([[`sync ${WIDGET} ${ALL_FED.join(',')} only attempts`]]);
  });

  it('announce nothing when raw checks are replaced by daily counts because they are old', async () => {
    const clock = new StandingClock(NOW);
    const { store, batches } = await watched([aCheck({ checkedAt: NOW - 399 * DAY }), aCheck()], { clock });
    for (const days of [2, 4, 6]) {
      clock.set(NOW + days * DAY);
      await store.writer.put([aCheck({ serviceKey: 'acme:docs', checkedAt: clock.now() })], context);
    }
    expect(new Set(batches.flat())).toEqual(new Set(['check acme:docs']));
  });

  it('are announced when readers see them, and before the write resolves', async () => {
    const { store } = await watched();
    const order: string[] = [];
    const read: Promise<unknown>[] = [];
    store.changes.subscribe(() => {
      order.push('announced');
      read.push(store.readers.news.byId(someNews().id, context));
    });
    await store.writer.put([someNews()], context).then(() => order.push('resolved'));
    expect(order).toEqual(['announced', 'resolved']);
    expect(await Promise.all(read)).toMatchObject([{ id: someNews().id }]);
  });

  it('reach every listener although one throws, and the write succeeds', async () => {
    const errors: unknown[] = [];
    const broken = new Error('the listener failed');
    const store: OpenMemoryStore = await openMemoryStore({ clock: new StandingClock(NOW), onListenerError: (error) => errors.push(error) });
    store.changes.subscribe(() => {
      throw broken;
    });
    const heard: string[][] = [];
    store.changes.subscribe((changes) => heard.push(names(changes)));
    expect(await store.writer.put([someNews()], context)).toMatchObject({ stored: 1 });
    expect([heard, errors]).toEqual([[['news -']], [broken]]);
  });

  it('are not announced to a listener whose subscription has ended; another subscription of the same function stays', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    let calls = 0;
    const listener = (): void => {
      calls += 1;
    };
    const ends = [store.changes.subscribe(listener), store.changes.subscribe(listener)];
    ends[0]?.();
    ends[0]?.();
    await store.writer.put([someNews()], context);
    ends[1]?.();
    await store.writer.put([someNews({ id: 'nws_2' })], context);
    expect(calls).toBe(1);
  });
});
