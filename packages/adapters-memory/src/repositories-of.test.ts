import { Allowlist, HOUR, MINUTE, type Instant } from '@vitrine/core';
import { aCommit, aRelease, aRepositoryRecord, NOW, StandingClock } from '@vitrine/core/testing';
import { openMemoryStore, type OpenMemoryStore } from './index.js';

const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();
const [PAST, AHEAD] = [NOW - HOUR, NOW + HOUR];

async function shown({ readers }: OpenMemoryStore): Promise<readonly unknown[]> {
  const [repository] = await readers.repositories.byRefs(approved, ['acme/widget'], context);
  return [repository?.latestRelease?.tagName, repository?.latestActivityAt];
}

describe('the derived facts of a repository', () => {
  it('include a future release and a future commit only when their time has come', async () => {
    const clock = new StandingClock(NOW);
    const store = await openMemoryStore({ clock });
    const release = (tagName: string, publishedAt: Instant) => aRelease({ id: `acme/widget@${tagName}`, tagName, publishedAt });
    await store.writer.put(
      [aRepositoryRecord(), release('v1.0.0', PAST), release('v2.0.0', AHEAD), aCommit({ committedAt: AHEAD + MINUTE })],
      context,
    );
    expect(await shown(store)).toEqual(['v1.0.0', PAST]);
    clock.set(AHEAD - 5 * MINUTE - 1);
    expect(await shown(store)).toEqual(['v1.0.0', PAST]);
    clock.set(AHEAD - 5 * MINUTE);
    expect(await shown(store)).toEqual(['v2.0.0', AHEAD]);
    clock.set(AHEAD - 4 * MINUTE);
    expect(await shown(store)).toEqual(['v2.0.0', AHEAD + MINUTE]);
    await store.close();
  });

  it('are the same object until they change, for presenters that remember what they made of it', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const read = async () => (await store.readers.repositories.byRefs(approved, ['acme/widget'], context))[0];
    await store.writer.put([aRepositoryRecord(), aCommit({ committedAt: PAST })], context);
    const before = await read();
    expect(await read()).toBe(before);
    await store.writer.put([aRelease({ publishedAt: PAST })], context);
    expect(await read()).not.toBe(before);
    await store.close();
  });
});
