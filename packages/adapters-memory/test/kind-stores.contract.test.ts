import { Allowlist, type Commit, type CommitReader, type ListedKind } from '@vitrine/core';
import {
  aCommit,
  damagedRecordContract,
  lostStoreContract,
  singleRecordContract,
  storeContract,
  timeListContract,
  type KindStore,
  type OpenStore,
} from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';
import { answeringSlowly, withReader } from './broken/broken-store.js';

const context = { signal: new AbortController().signal };

const SECRET = Allowlist.of('acme/secret').approved();

/** A store that has only a reader of commits. */
async function openCommits(): Promise<KindStore<'commit'>> {
  const { readers, writer } = await openMemoryStore({ clock: { now: () => 0 } });
  const commits: CommitReader = readers.commits;
  return { readers: { commits }, fill: (records: readonly Commit[]) => writer.put(records, context) };
}

async function openCommitsThatCanGo(): Promise<KindStore<'commit'>> {
  const { readers, writer, close } = await openMemoryStore({ clock: { now: () => 0 } });
  return {
    readers,
    fill: (records) => writer.put(records, context),
    remove: (records) => writer.remove(records, context),
    close: () => close(),
  };
}

describe.each([
  ['that can only be filled', openCommits],
  ['that can be filled and emptied', openCommitsThatCanGo],
])('a store of commits only %s', (_what, open) => {
  const cases = [...timeListContract({ kinds: ['commit'], open }), ...singleRecordContract({ kinds: ['commit'], open })];
  // Only these delete.
  it.each(cases.filter(({ name }) => open === openCommits || name.includes('come and go')))('$name', ({ run }) => run());
});

describe('the suites of some kinds', () => {
  const open: OpenStore = (clock) => openMemoryStore({ clock });

  it('have cases of those kinds only, also for a whole store', () => {
    const cases = [
      ...timeListContract({ open, context, seed: 1, runs: 1, kinds: ['news', 'video'] }),
      ...singleRecordContract({ open, context, seed: 1, runs: 1, kinds: ['news', 'video'] }),
    ];
    expect(new Set(cases.map(({ name }) => name.split(' ', 1)[0]))).toEqual(new Set(['news', 'video']));
  });

  it('reject a kind that has no list', () => {
    const kinds = ['sync'] as unknown as ListedKind[];
    expect(() => timeListContract({ open, context, seed: 1, runs: 1, kinds })).toThrow(
      '"sync" is not a kind of listed record. Use one of commit, release, finding,',
    );
  });

  it('name the reader that is missing in the opened store', async () => {
    const [first] = timeListContract({
      kinds: ['commit'],
      open: async () => ({ ...(await openCommits()), readers: {} as { commits: CommitReader } }),
    });
    await expect(first?.run()).rejects.toThrow('The opened store has no readers.commits. Return it from `open`, or leave its kind out of `kinds`.');
  });

  it('say that the opened store is not empty', async () => {
    const [first] = timeListContract({
      kinds: ['commit'],
      open: async () => {
        const store = await openCommits();
        await store.fill([aCommit()]);
        return store;
      },
    });
    await expect(first?.run()).rejects.toThrow('The store that `open` returned already has a commit. Return an empty store for each case');
  });

  it('say which method the opened store lacks', async () => {
    // Plain JavaScript can leave the methods out.
    const options = { kinds: ['commit'] as const, open: openCommits as () => Promise<never> };
    await expect(damagedRecordContract(options)[0]?.run()).rejects.toThrow('The opened store has no damage(). Return a method from `open` that');
    await expect(lostStoreContract(options)[0]?.run()).rejects.toThrow('The opened store has no lose(). Return a method from `open` that');
  });

  it('name the hidden repository when a reader of single records ignores permission', async () => {
    const breaks = withReader(
      'findings',
      'byId',
      (right) =>
        (_approved, ...rest) =>
          right(SECRET, ...rest),
    );
    const [first] = singleRecordContract({ open: async (clock) => breaks(await open(clock)), context, seed: 1, runs: 1, kinds: ['finding'] });
    await expect(first?.run()).rejects.toThrow(/hidden: acme\/secret, acme\/aaa, acme\/another#7/);
  });

  it('report the promise, the seed, what was expected and what was found', async () => {
    const breaks = withReader('commits', 'list', () => () => Promise.resolve({ items: [], next: null }));
    const openBroken: OpenStore = async (clock) => breaks(await open(clock));
    const cases = timeListContract({ open: openBroken, context, seed: 7, runs: 1, kinds: ['commit'] });
    const failures = await Promise.all(cases.map(({ run }) => run().then(() => '', String)));
    expect(failures).toContainEqual(
      expect.stringMatching(
        /commit list: times are closed at both ends.*: expected 4 items, found 0 items; at index 0 expected "\d+ acme.*", found nothing/,
      ),
    );
    expect(failures).toContainEqual(
      expect.stringMatching(/commit list: pages joined are the whole list.*: seed 7: .*expected \d+ items, found 0 items/),
    );
  });
});

describe('a correct store over a slow database', () => {
  const open: OpenStore = async (clock) => answeringSlowly(await openMemoryStore({ clock }));
  const cases = storeContract({ open, context, seed: 1, runs: 1 }).filter(({ name }) => /signal/.test(name) || name.startsWith('commit '));

  it.each(cases)('$name', ({ run }) => run());
});
