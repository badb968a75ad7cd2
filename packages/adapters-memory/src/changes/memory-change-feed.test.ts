import type { StoreChange } from '@vitrine/core';
import { MemoryChangeFeed } from './memory-change-feed.js';

const CHANGE: StoreChange = { operation: 'put', kind: 'commit', key: 'x', repositoryRef: null, serviceKey: null, day: null, sync: null };

/** How much a signal keeps: its listeners, and the signals that depend on it. */
function keptBy(signal: AbortSignal): number {
  const sizes = Object.getOwnPropertySymbols(signal).map((name) =>
    Number((Reflect.get(signal, name) as { readonly size?: unknown } | null)?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('leaves nothing at the signal of a follower, which lives as long as the store', async () => {
  const [feed, { signal }] = [new MemoryChangeFeed(), new AbortController()];
  let { position } = await feed.changesSince(null, { limit: 1, waitMs: 0 }, { signal });
  for (let count = 0; count < 20; count++) {
    const waiting = feed.changesSince(position, { limit: 1, waitMs: 60_000 }, { signal });
    feed.append([CHANGE]);
    ({ position } = await waiting);
    await feed.changesSince(position, { limit: 1, waitMs: 1 }, { signal });
  }
  expect(keptBy(signal)).toBe(0);
});

it('wakes many followers in time in proportion to their number', async () => {
  const [feed, { signal }] = [new MemoryChangeFeed(), new AbortController()];
  const { position } = await feed.changesSince(null, { limit: 1, waitMs: 0 }, { signal });
  const waiting = Array.from({ length: 8_000 }, () =>
    feed.changesSince(position, { limit: 1, waitMs: 60_000 }, { signal: new AbortController().signal }),
  );
  const before = process.cpuUsage();
  feed.append([CHANGE]);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  await Promise.all(waiting);
});
