import { Allowlist, MINUTE, NO_REPOSITORY, type StoreChange, type StoredRecord, type SyncedKind } from '@vitrine/core';
import { aCommit, anIncident, aRelease, aRepositoryRecord, aService, aSync, NOW, someNews, StandingClock } from '@vitrine/core/testing';
import { openLocalStore } from '../../test/open-local-store.js';
import { openSqliteStore, type OpenSqliteStore } from '../index.js';

const context = { signal: new AbortController().signal };
const WIDGET = 'acme/widget';
const ALL_FED: readonly SyncedKind[] = ['commit', 'release', 'repository'];
const stores: OpenSqliteStore[] = [];

afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));

/** What the changes concern, in the order of the alphabet. */
function names(changes: readonly StoreChange[]): string[] {
  const all = changes.map(({ kind, repositoryRef, serviceKey, sync }) => {
    if (sync !== null) return `sync ${String(repositoryRef)} ${sync.feeds.join(',')}${sync.onlyAttempts ? ' only attempts' : ''}`;
    return `${kind} ${serviceKey ?? String(repositoryRef)}`;
  });
  return [...new Set(all)].sort();
}

/** An open store with some records, and the batches that it announces from then on. */
async function watched(records: readonly StoredRecord[] = [], onListenerError: (error: unknown) => void = () => undefined) {
  const store = await openLocalStore({ clock: new StandingClock(NOW), path: null, onListenerError });
  stores.push(store);
  await store.writer.put(records, context);
  const batches: string[][] = [];
  const end = store.changes.subscribe((changes) => batches.push(names(changes)));
  return { store, batches, end };
}

describe('changes of a SQLite store', () => {
  it.each<readonly [string, readonly StoredRecord[], readonly string[]]>([
    ['two commits of one repository', [aCommit(), aCommit({ sha: 'b'.repeat(40) })], [`commit ${WIDGET}`]],
    ['commits of two repositories', [aCommit(), aCommit({ repositoryRef: 'acme/gadget' })], [`commit ${WIDGET}`, 'commit acme/gadget']],
    ['a repository', [aRepositoryRecord()], [`repository ${WIDGET}`]],
    ['news, an incident and a service', [someNews(), anIncident(), aService()], ['news -', 'incident -', `service ${aService().key}`]],
    ['the sync record of a new source', [aSync()], [`sync ${WIDGET} ${ALL_FED.join(',')}`]],
  ])('announce the kind and the repository or service of %s, once, when it is stored, and again when it is removed', async (_, records, expected) => {
    const { store, batches } = await watched();
    await store.writer.put(records, context);
    await store.writer.put(records, context);
    await store.writer.remove(records as Parameters<typeof store.writer.remove>[0], context);
    await store.writer.remove(records as Parameters<typeof store.writer.remove>[0], context);
    expect(batches).toEqual([[...expected].sort(), [...expected].sort()]);
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

  it('name what a source feeds now and what it fed before, and say when only the times of attempts have changed', async () => {
    const { store, batches } = await watched([aSync()]);
    await store.writer.put([aSync({ lastAttemptAt: NOW, lastFailureAt: NOW, lastFailureCode: 'ENOENT' })], context);
    await store.writer.put([aSync({ feeds: ['news'], repositoryRef: NO_REPOSITORY })], context);
    const fed = [...ALL_FED, 'news'].sort().join(',');
    expect(batches).toEqual([[`sync ${WIDGET} ${ALL_FED.join(',')} only attempts`], [`sync - ${fed}`, `sync ${WIDGET} ${fed}`]]);
  });

  it('announce the state that a source loses with the approval of its repository', async () => {
    const { store, batches } = await watched([aSync({ state: 'page 2' })]);
    await store.writer.indexFor(Allowlist.of('acme/gadget').approved(), context);
    expect(batches).toEqual([[`sync ${WIDGET} ${ALL_FED.join(',')} only attempts`]]);
  });

  it('are announced when readers see them, and before the write resolves', async () => {
    const store = await openSqliteStore({ clock: new StandingClock(NOW), path: null });
    stores.push(store);
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

  it('are announced batch by batch', async () => {
    const { store, batches } = await watched();
    const many = Array.from({ length: 1_001 }, (_, index) => someNews({ id: `n${String(index)}` }));
    await store.writer.put([...many.slice(0, 1_000), aService(), ...many.slice(1_000)], context);
    expect(batches).toEqual([['news -'], ['news -', `service ${aService().key}`]]);
  });

  it('reach every listener although one throws, and the write succeeds', async () => {
    const errors: unknown[] = [];
    const broken = new Error('the listener failed');
    const { store } = await watched([], (error) => errors.push(error));
    store.changes.subscribe(() => {
      throw broken;
    });
    const heard: string[][] = [];
    store.changes.subscribe((changes) => heard.push(names(changes)));
    expect(await store.writer.put([someNews()], context)).toMatchObject({ stored: 1 });
    expect([heard, errors]).toEqual([[['news -']], [broken]]);
  });
});
