import { Allowlist } from '@vitrine/core';
import { Slots } from './slots.js';
import type { Source } from './source.js';
import { whileApproved } from './vouching.js';

describe('Slots', () => {
  it('runs as many at once as it may, and all of them in the end', async () => {
    const slots = new Slots(2);
    let running = 0;
    let most = 0;
    let runs = 0;
    const run = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      if (++runs % 3 === 0) throw new Error('broken');
    };
    await Promise.allSettled(Array.from({ length: 7 }, () => slots.run(run)));
    expect([runs, most]).toEqual([7, 2]);
  });
});

describe('whileApproved', () => {
  it('keeps everything of a source but its run, also when its next run is due', () => {
    const source: Source & { readonly pause: number } = {
      id: 'a',
      intervalMs: 1,
      isRemote: true,
      registration: { id: 'feed:a', sourceType: 'feed', label: 'a', repositoryRef: '-', feeds: ['news'] },
      pause: 7,
      nextRunAt(now) {
        return now + this.pause;
      },
      run: () => Promise.resolve({ stored: 0, unchanged: 0, removed: 0, warnings: [] }),
    };
    const { id, intervalMs, isRemote, registration, nextRunAt } = whileApproved(source, 'acme/widget', () => Allowlist.of('acme/widget').approved());
    expect({ id, intervalMs, isRemote, registration }).toEqual({ id: 'a', intervalMs: 1, isRemote: true, registration: source.registration });
    expect(nextRunAt?.(1_000)).toBe(1_007);
  });
});
