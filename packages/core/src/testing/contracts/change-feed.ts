import { keyOfIdentity } from '../../kinds/identity.js';
import { MINUTE } from '../../kinds/instant.js';
import { NO_REPOSITORY } from '../../kinds/repository-name.js';
import type { FeedChange, StoreChange } from '../../ports/changes.js';
import type { ReadContext } from '../../ports/readers.js';
import type { Clock, RecordStore } from '../../ports/store.js';
import { Allowlist } from '../../rules/allowlist.js';
import { isApprovedChange } from '../../rules/approvals.js';
import { aCommit, aFinding, aRelease, aRepositoryRecord, aSync, NOW } from '../builders.js';
import { anArticle, someNews } from '../content-builders.js';
import { assert, assertSame, namedCase, StandingClock, type ContractCase } from '../contract.js';
import { changeOf, FeedFollower, identityOf, LONG_MS } from '../feed-follower.js';
import { aCheck, anIncident, aService } from '../status-builders.js';
import { oneOfEach } from './writing.js';

export interface ChangeFeedOptions {
  /** Opens an empty store that uses the given clock. */
  readonly open: (clock: Clock) => Promise<RecordStore>;
  readonly context: ReadContext;
  /** Whether the store is a database server, whose feed may give a write later than before the next event. Default: `false`. */
  readonly isServer?: boolean;
}

const [WIDGET, SECRET] = ['acme/widget', 'acme/secret'] as const;
const approved = Allowlist.of(WIDGET).approved();
/** How long a case waits for a change that must not come, in milliseconds. */
const SHORT_MS = 50;
/** How many promises a case lets settle without a further event. */
const TURNS = 10_000;

type Promised = (store: RecordStore, context: ReadContext) => Promise<void>;

/** What a feed of changes promises. */
export function changeFeedContract({ open, context, isServer = false }: ChangeFeedOptions): readonly ContractCase[] {
  const on = (name: string, promised: Promised): ContractCase =>
    namedCase(`changes: ${name}`, async () => {
      const store = await open(new StandingClock(NOW));
      try {
        await promised(store, context);
      } finally {
        await store.close();
      }
    });
  return [
    on('tells every kind that is stored, replaced and removed', tellsEveryKind),
    on('says to which repository or service a change belongs', saysWhere),
    on('tells nothing of a write that changes nothing', tellsNoEmptyWrites),
    on('tells of a repository when its latest release or activity changes', tellsFacts),
    on('says what a source feeds, and whether only attempts have changed', tellsSyncs),
    on('is in order, and the same from every position and with every limit', isInOrder),
    on('waits for a change, and no longer than asked', (store) => waits(store, context, isServer)),
    on('ends waiting when the caller aborts', aborts),
    on('calls a position that it does not know too old', refusesPositions),
    on('rejects when the store is closed, but not so soon that a caller that tries again takes all the time', rejectsClosed),
    namedCase('changes: calls the position of another store too old', () => refusesOtherStore({ open, context })),
  ];
}

async function tellsEveryKind(store: RecordStore, context: ReadContext): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  for (const record of oneOfEach()) {
    await store.writer.put([record], context);
    // A record can also change the facts of its repository.
    const told = await follower.names();
    assert(told.includes(changeOf('put', record)), `expected "${changeOf('put', record)}", found ${JSON.stringify(told)}`);
  }
  await store.writer.put([aCommit({ title: 'Another title' })], context);
  assertSame(await follower.names(), [changeOf('put', aCommit())], 'a commit with another title');
  await store.writer.moveCommits(WIDGET, [{ sha: aCommit().sha, branch: 'next' }], context);
  assertSame(await follower.names(), [changeOf('put', aCommit())], 'a commit of another branch');
  for (const record of oneOfEach()) {
    await store.writer.remove([identityOf(record)], context);
    const told = await follower.names();
    assert(told.includes(changeOf('remove', record)), `expected "${changeOf('remove', record)}", found ${JSON.stringify(told)}`);
  }
}

async function saysWhere(store: RecordStore, context: ReadContext): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  const records = [aFinding(), aFinding({ repositoryRef: SECRET }), aRelease({ repositoryRef: SECRET }), anArticle({ repositoryRef: NO_REPOSITORY })];
  const others = [anIncident(), someNews(), aService(), aCheck()];
  // A store may also tell that the counts of a day have changed with its checks.
  const isShown = (change: StoreChange): boolean => change.kind !== 'status-day' && isApprovedChange(change, approved);
  await store.writer.put([...records, ...others], context);
  const put = await follower.next();
  await store.writer.remove([...records, ...others].map(identityOf), context);
  const removed = await follower.next();
  const shown = ['finding', 'article', 'incident', 'news', 'service', 'check'].sort();
  for (const [what, changes] of Object.entries({ put, removed })) {
    assertSame([...new Set(changes.filter(isShown).map(({ kind }) => kind))].sort(), shown, `kinds of approved changes, ${what}`);
    assertSame(changes.filter((change) => change.kind === 'finding' && isShown(change)).length, 1, `approved findings, ${what}`);
    assert(!changes.some((change) => change.kind === 'release' && isShown(change)), `a hidden release is shown, ${what}`);
  }
  assertSame(
    put.filter(({ kind }) => kind === 'finding').map(({ repositoryRef }) => repositoryRef),
    [WIDGET, SECRET],
    'repositories of the findings',
  );
  assertSame(put.find(({ kind }) => kind === 'service')?.serviceKey, aService().key, 'the key of the service');
}

async function tellsNoEmptyWrites(store: RecordStore, context: ReadContext): Promise<void> {
  await store.writer.put(oneOfEach(), context);
  const follower = await FeedFollower.start(store, context);
  await store.writer.put(oneOfEach(), context);
  await store.writer.put([aCommit()], { ...context, source: 'git:acme/widget' });
  await store.writer.remove([{ kind: 'news', id: 'none' }], context);
  await store.writer.moveCommits(WIDGET, [{ sha: aCommit().sha, branch: aCommit().branch }], context);
  assertSame(await follower.names(), [], 'changes');
}

async function tellsFacts(store: RecordStore, context: ReadContext): Promise<void> {
  await store.writer.put([aRepositoryRecord(), aCommit()], context);
  const follower = await FeedFollower.start(store, context);
  const repository = `put repository ${WIDGET}`;
  const earlier = aCommit({ sha: 'b'.repeat(40), committedAt: aCommit().committedAt - MINUTE });
  await store.writer.put([earlier], context);
  assertSame(await follower.names(), [changeOf('put', earlier)], 'an earlier commit');
  await store.writer.put([aRelease()], context);
  assertSame(await follower.names(), [changeOf('put', aRelease()), repository], 'a newer release');
  await store.writer.remove([aRelease()], context);
  assertSame(await follower.names(), [repository, changeOf('remove', aRelease())], 'the release again');
}

async function tellsSyncs(store: RecordStore, context: ReadContext): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  const key = keyOfIdentity(aSync());
  const effects = async (): Promise<unknown> => (await follower.next()).map(({ sync }) => sync);
  const feeds = ['commit', 'release', 'repository'] as const;
  await store.writer.put([aSync()], context);
  assertSame(await effects(), [{ feeds, onlyAttempts: false }], 'a new source');
  const failed = aSync({ lastAttemptAt: NOW, lastFailureAt: NOW, lastFailureCode: 'ENOENT' });
  await store.writer.put([failed], context);
  await store.writer.put([{ ...failed, state: 'page 2' }], context);
  assertSame(
    await effects(),
    [feeds, feeds].map((fed) => ({ feeds: fed, onlyAttempts: true })),
    'two attempts',
  );
  await store.writer.put([{ ...failed, lastSuccessAt: NOW }], context);
  assertSame(await follower.names(), [`put sync ${key}`], 'a success');
  await store.writer.put([aSync({ feeds: ['news'], repositoryRef: NO_REPOSITORY, lastSuccessAt: NOW })], context);
  const moved = await follower.next();
  for (const fed of [...feeds, 'news'] as const)
    assert(
      moved.some(({ sync }) => sync?.feeds.includes(fed) === true),
      `expected ${fed} in a change`,
    );
  assert(
    moved.some((change) => isApprovedChange(change, approved.only(WIDGET))),
    'expected a change of the repository that it fed before',
  );
}

async function isInOrder(store: RecordStore, context: ReadContext): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  const start = follower.position;
  const ids = Array.from({ length: 12 }, (_, index) => `n${String(index)}`);
  for (const id of ids.slice(0, 6)) await store.writer.put([someNews({ id })], context);
  await store.writer.put(
    ids.slice(6).map((id) => someNews({ id })),
    context,
  );
  const all = await follower.next();
  assertSame(
    all.slice(0, 6).map(({ key }) => key),
    ids.slice(0, 6),
    'writes of one record each',
  );
  assertSame([...all.slice(6).map(({ key }) => key)].sort(), ids.slice(6).sort(), 'a write of several records');
  assertSame(new Set(all.map(({ position }) => position)).size, ids.length, 'positions');
  for (const limit of [1, 5, 1_000]) {
    let [position, found] = [start, [] as FeedChange[]];
    while (found.length < all.length) {
      const answer = await follower.ask(position, limit, 0);
      assert(answer.changes.length > 0 && answer.changes.length <= limit, `expected 1 to ${String(limit)} changes`);
      [position, found] = [answer.position, [...found, ...answer.changes]];
    }
    assertSame(found.slice(0, all.length), all, `changes in parts of ${String(limit)}`);
  }
  for (const [index, { position }] of all.entries())
    assertSame((await follower.ask(position, 1_000, 0)).changes.slice(0, all.length - index - 1), all.slice(index + 1), 'changes after one of them');
}

async function waits(store: RecordStore, context: ReadContext, isServer: boolean): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  const none = await follower.ask(follower.position, 10, SHORT_MS);
  assertSame([none.isTooOld, none.changes], [false, []], 'the answer without a change');
  const waiting = follower.ask(none.position, 10, LONG_MS);
  let isTold = false;
  void waiting.then(() => (isTold = true));
  await store.writer.put([someNews()], context);
  for (let turns = 0; turns < TURNS; turns++) await Promise.resolve();
  assert(isServer || isTold, 'expected that a waiting call gets a write of its own process before the next event');
  assertSame(
    (await waiting).changes.map(({ key }) => key),
    [someNews().id],
    'what a waiting call gets',
  );
}

async function aborts(store: RecordStore, context: ReadContext): Promise<void> {
  const { position } = await FeedFollower.start(store, context);
  const caller = new AbortController();
  const waiting = store.changeFeed.changesSince(position, { limit: 10, waitMs: LONG_MS }, { signal: caller.signal });
  caller.abort();
  const isRejected = waiting.then(
    () => false,
    () => true,
  );
  assert(await isRejected, 'expected an aborted call to reject');
}

async function rejectsClosed(store: RecordStore, context: ReadContext): Promise<void> {
  const { position } = await FeedFollower.start(store, context);
  const ask = (): Promise<boolean> =>
    store.changeFeed.changesSince(position, { limit: 10, waitMs: LONG_MS }, context).then(
      () => false,
      () => true,
    );
  const waiting = ask();
  await store.close();
  assert(await waiting, 'expected a waiting call to reject');
  let isSettled = false;
  const later = ask().finally(() => (isSettled = true));
  for (let turns = 0; turns < TURNS; turns++) await Promise.resolve();
  assert(!isSettled, 'expected a pause before a call rejects');
  assert(await later, 'expected a later call to reject');
}

async function refusesPositions(store: RecordStore, context: ReadContext): Promise<void> {
  const follower = await FeedFollower.start(store, context);
  const { position } = follower;
  for (const unknown of ['', 'x', '0', position.slice(1), `${position}0`]) {
    const answer = await follower.ask(unknown, 10, 0);
    assertSame([answer.isTooOld, answer.changes], [true, []], `the answer after "${unknown}"`);
    assertSame((await follower.ask(answer.position, 10, 0)).isTooOld, false, 'the answer after the position of that answer');
  }
}

async function refusesOtherStore({ open, context }: Pick<ChangeFeedOptions, 'open' | 'context'>): Promise<void> {
  const stores = [await open(new StandingClock(NOW)), await open(new StandingClock(NOW))] as const;
  try {
    const [one, other] = [await FeedFollower.start(stores[0], context), await FeedFollower.start(stores[1], context)];
    assertSame((await one.ask(other.position, 10, 0)).isTooOld, true, 'too old');
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}
