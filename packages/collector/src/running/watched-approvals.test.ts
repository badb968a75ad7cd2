import { setTimeout as sleep } from 'node:timers/promises';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { UnavailableError, type ChangeFeed, type ConfigurationReader, type Sync } from '@vitrine/core';
import { aCommit, aSync, NOW, StandingClock } from '@vitrine/core/testing';
import { configurationSync } from './registered-source.js';
import { CurrentApproval, hiddenRepositorySync } from './approvals.js';
import { ownerListState } from '../sources/owner-list/owner-list.js';
import { WatchedApprovals } from './watched-approvals.js';

const listOf = (...names: readonly string[]): Sync => {
  const repositories = names.map((fullName) => {
    const name = fullName.slice(5);
    return { fullName, owner: 'acme', name, forgeId: name, isFork: false, isArchived: false };
  });
  return configurationSync('configuration:approved:github:acme', 1, 60_000, ownerListState([{ url: 'x', etag: null, next: null, repositories }]));
};
const HIDDEN = hiddenRepositorySync('acme/widget', { since: 0, reason: 'private', at: 0, intervalMs: 60_000 });
const pattern = { owner: 'acme', ownerId: null, except: [], forks: false, archived: false, api: 'https://api.github.com', token: null };

class FakeReader implements ConfigurationReader {
  syncs: readonly Sync[] = [];
  failure: Error | null = null;
  hangs = false;
  /** A read answers after this, with what was there when it began. */
  slowly: Promise<void> | null = null;
  reads = 0;

  list({ signal }: { readonly signal: AbortSignal }): Promise<readonly Sync[]> {
    this.reads += 1;
    if (this.hangs) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const { syncs } = this;
    if (this.slowly !== null) return this.slowly.then(() => syncs);
    return this.failure === null ? Promise.resolve(this.syncs) : Promise.reject(this.failure);
  }
}

function watched(changeFeed?: ChangeFeed) {
  const reader = new FakeReader();
  const said: string[] = [];
  const say = (facts: object, sentence: string): void => void said.push(`${Object.values(facts).slice(0, 2).join(' ')}: ${sentence}`);
  const approvals = { approved: [], patterns: [{ ...pattern, allowPrivate: false, intervalMs: 60_000 }] };
  const factsOf = (error: unknown) => ({ error });
  const stored = new WatchedApprovals({ reader, changeFeed, approvals: () => approvals, log: { info: say, warn: say, error: say }, factsOf });
  const approval = new CurrentApproval(() => approvals, stored.current);
  return { reader, stored, said, approval, refs: () => approval.current().refs };
}

describe('what the store says about approved repositories', () => {
  it('approves nothing before the first list, and what the list has after it', async () => {
    const { reader, stored, refs } = watched();
    await stored.poll();
    expect(refs()).toEqual([]);
    reader.syncs = [listOf('acme/widget', 'acme/gadget')];
    await stored.poll();
    expect(refs()).toEqual(['acme/gadget#gadget', 'acme/widget#widget']);
    reader.syncs = [listOf('acme/gadget')];
    await stored.poll();
    expect(refs()).toEqual(['acme/gadget#gadget']);
  });

  it('is not known before the first read has succeeded, so no repository is shown', async () => {
    const { reader, stored, approval, said } = watched();
    reader.failure = new Error('no store');
    await stored.poll();
    expect(() => approval.current()).toThrow(UnavailableError);
    expect(said).toEqual([expect.stringMatching(/^Error: no store: .* cannot be read from the store; until they can, no repository is shown/)]);
    reader.failure = null;
    await stored.poll();
    await stored.known;
    expect(approval.current().refs).toEqual([]);
  });

  it('hides a repository, and keeps it hidden while the store cannot be read', async () => {
    const { reader, stored, refs, said } = watched();
    reader.syncs = [listOf('acme/widget')];
    await stored.poll();
    reader.syncs = [listOf('acme/widget'), HIDDEN];
    await stored.poll();
    await stored.poll();
    expect([refs(), said]).toEqual([[], [expect.stringMatching(/^acme\/widget private: a repository is HIDDEN/)]]);
    reader.failure = new Error('lost');
    await stored.poll();
    expect(refs()).toEqual([]);
    [reader.failure, reader.syncs] = [null, [listOf('acme/widget')]];
    await stored.poll();
    expect(refs()).toEqual(['acme/widget#widget']);
    expect(said).toContain('acme/widget: a repository is not hidden any more');
  });

  it('keeps the last list while the store cannot be read, and drops one that cannot be understood', async () => {
    const { reader, stored, refs } = watched();
    reader.syncs = [listOf('acme/widget')];
    await stored.poll();
    reader.failure = new Error('lost');
    await stored.poll();
    expect(refs()).toEqual(['acme/widget#widget']);
    reader.failure = null;
    for (const state of [null, '{', '{"pages":[{"repositories":[{"name":"acme/widget"}]}]}', '[]']) {
      reader.syncs = [{ ...listOf('acme/widget'), state }];
      await stored.poll();
      expect(refs()).toEqual([]);
    }
  });

  it('gives the same permission until something changes', async () => {
    const { reader, stored, approval } = watched();
    reader.syncs = [listOf('acme/widget')];
    await stored.poll();
    const before = approval.current();
    let changes = 0;
    stored.onChange(() => (changes += 1));
    reader.syncs = [{ ...listOf('acme/widget'), lastAttemptAt: 7 }];
    await stored.poll();
    expect([approval.current() === before, changes]).toEqual([true, 0]);
    reader.syncs = [listOf('acme/widget'), { ...HIDDEN, id: 'configuration:hidden:zeta/other' }];
    await stored.poll();
    expect([approval.current() === before, changes]).toEqual([true, 1]);
  });

  it('parses a list again only when it has changed, whatever else the configuration remembers', async () => {
    const { reader, stored, refs } = watched();
    const parse = jest.spyOn(JSON, 'parse');
    const lists = listOf('acme/widget', 'acme/gadget');
    const parsed: number[] = [];
    for (const [index, list] of [lists, lists, lists, listOf('acme/gadget')].entries()) {
      reader.syncs = [{ ...list, lastAttemptAt: index }, configurationSync('configuration:sources', index, 60_000, `state ${String(index)}`)];
      parse.mockClear();
      await stored.poll();
      parsed.push(parse.mock.calls.length);
    }
    parse.mockRestore();
    expect([parsed, refs()]).toEqual([[1, 0, 0, 1], ['acme/gadget#gadget']]);
  });

  it('is read once a second, one read at a time, and no more when it is stopped', async () => {
    jest.useFakeTimers();
    const { reader, stored } = watched();
    stored.start();
    await jest.advanceTimersByTimeAsync(3_100);
    expect(reader.reads).toBe(4);
    reader.hangs = true;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(reader.reads).toBe(5);
    stored.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reader.reads).toBe(5);
    jest.useRealTimers();
  });
});

describe('what a store with a feed says about approved repositories', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  async function followed() {
    jest.useFakeTimers();
    const context = { signal: new AbortController().signal };
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const world = watched(store.changeFeed);
    /** Stores them, and shows them to the reader. */
    const put = async (...syncs: readonly Sync[]): Promise<void> => {
      world.reader.syncs = syncs;
      await store.writer.put(syncs, context);
      await jest.advanceTimersByTimeAsync(0);
    };
    return { ...world, store, context, put };
  }

  it('is read when it changes, and not otherwise', async () => {
    const { reader, stored, store, context, put, refs } = await followed();
    stored.start();
    await put(listOf('acme/widget'));
    expect(refs()).toEqual(['acme/widget#widget']);
    const { reads } = reader;
    await store.writer.put([aCommit(), aSync()], context);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reader.reads).toBe(reads);
    await put(listOf('acme/widget'), HIDDEN);
    expect([refs(), reader.reads]).toEqual([[], reads + 1]);
    stored.stop();
    await put(listOf('acme/gadget'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reader.reads).toBe(reads + 1);
  });

  it('is read again after a change during a read', async () => {
    const { reader, stored, put, refs } = await followed();
    stored.start();
    await put(listOf('acme/gadget'));
    let resolve = (): void => undefined;
    reader.slowly = new Promise((done) => (resolve = done));
    await put(listOf('acme/widget'));
    await put(listOf('acme/widget'), HIDDEN);
    expect(refs()).toEqual(['acme/gadget#gadget']);
    reader.slowly = null;
    resolve();
    await jest.advanceTimersByTimeAsync(0);
    expect(refs()).toEqual([]);
    stored.stop();
  });

  it('is read once a second after a read that failed, and while the feed cannot be read', async () => {
    const { reader, stored, store, put, refs } = await followed();
    stored.start();
    await put(listOf('acme/widget'));
    reader.failure = new Error('lost');
    await put(listOf('acme/gadget'));
    const { reads } = reader;
    await jest.advanceTimersByTimeAsync(3_000);
    expect([reader.reads, refs()]).toEqual([reads + 3, ['acme/widget#widget']]);
    reader.failure = null;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(refs()).toEqual(['acme/gadget#gadget']);
    await store.close();
    reader.syncs = [];
    // The pause of a closed feed is one of the real clock.
    jest.useRealTimers();
    while (refs().length > 0) await sleep(10);
    stored.stop();
  });
});
