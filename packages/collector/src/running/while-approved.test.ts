import { Allowlist } from '@vitrine/core';
import { aCommit } from '@vitrine/core/testing';
import type { Source, SourceContext } from './source.js';
import { FakeStore } from '../testing/fake-store.js';
import { whileApproved } from './vouching.js';

const widget = Allowlist.of('acme/widget').approved();
const other = Allowlist.of('acme/other').approved();

/** Puts two batches, and asks what the list is in between. */
function wrapped(during: () => void = () => undefined) {
  const store = new FakeStore();
  const { signal } = new AbortController();
  const state = { approved: widget };
  const inner: Source = {
    id: 'git acme/widget',
    intervalMs: 1_000,
    async run({ writer }: SourceContext) {
      await writer.put([aCommit({ sha: '1'.repeat(40) })], { signal });
      during();
      await writer.put([aCommit({ sha: '2'.repeat(40) })], { signal });
      return { stored: 2, unchanged: 0, removed: 0, warnings: [] };
    },
  };
  const source = whileApproved(inner, 'acme/widget', () => state.approved);
  const run = () => source.run({ writer: store, collection: store, clock: { now: () => 0 }, signal, progress: () => undefined });
  return { source, store, state, run };
}

describe('whileApproved', () => {
  it('is the source while its repository is approved', async () => {
    const { source, store, run } = wrapped();
    expect([source.id, source.intervalMs]).toEqual(['git acme/widget', 1_000]);
    expect(await run()).toMatchObject({ stored: 2 });
    expect(store.all).toHaveLength(2);
  });

  it('does not run the source while its repository is not approved', async () => {
    const { store, state, run } = wrapped();
    state.approved = other;
    const warnings = [expect.stringMatching(/^git acme\/widget: its repository is not approved any more, so nothing is collected\./)];
    expect(await run()).toEqual({ stored: 0, unchanged: 0, removed: 0, warnings });
    expect(store.batches).toEqual([]);
    state.approved = widget;
    expect(await run()).toMatchObject({ stored: 2 });
  });

  it('does not run the source of a ref whose forge id the list has changed', async () => {
    const { store, state, run } = wrapped();
    state.approved = new Allowlist([{ fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: '9' }]).approved();
    await run();
    expect(store.batches).toEqual([]);
  });

  it('stores nothing more once the repository has left the list', async () => {
    const { store, state, run } = wrapped(() => {
      state.approved = other;
    });
    expect(await run()).toMatchObject({ stored: 0, warnings: [expect.stringContaining('not approved any more')] });
    expect(store.all).toMatchObject([{ sha: '1'.repeat(40) }]);
  });

  it('fails as the source does', async () => {
    const { run } = wrapped(() => {
      throw new Error('broken');
    });
    await expect(run()).rejects.toThrow('broken');
  });
});
