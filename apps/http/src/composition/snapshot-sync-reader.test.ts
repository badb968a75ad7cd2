import { Allowlist, UnavailableError, type Sync } from '@vitrine/core';
import { aSync, StandingClock } from '@vitrine/core/testing';
import { SnapshotSyncReader } from './snapshot-sync-reader.js';
import { TimerDeadlines } from '../resilience/timer-deadlines.js';

function counted(answers: () => Promise<readonly Sync[]>) {
  const clock = new StandingClock(0);
  let reads = 0;
  const list = (): Promise<readonly Sync[]> => {
    reads += 1;
    return answers();
  };
  return { clock, reader: new SnapshotSyncReader({ list }, new TimerDeadlines(), clock), reads: () => reads };
}

describe('the snapshot of sync records', () => {
  const approved = Allowlist.of('acme/widget').approved();

  it('is read once in five seconds', async () => {
    const { clock, reader, reads } = counted(() => Promise.resolve([aSync()]));
    await reader.list(approved);
    clock.set(4_999);
    await reader.list(approved);
    expect(reads()).toBe(1);
    clock.set(5_000);
    await reader.list(approved);
    expect(reads()).toBe(2);
  });

  it('is another one for another list, and for none', async () => {
    const { reader, reads } = counted(() => Promise.resolve([]));
    await reader.list(approved);
    await reader.list(null);
    await reader.list(new Allowlist([], 'other').approved());
    expect(reads()).toBe(3);
  });

  it('is not waited for longer than half a second', async () => {
    const { reader } = counted(() => new Promise(() => undefined));
    await expect(reader.list(approved)).rejects.toThrow(UnavailableError);
  });

  it('is not kept when it failed', async () => {
    const { reader, reads } = counted(() => Promise.reject(new Error('down')));
    await expect(reader.list(approved)).rejects.toThrow('down');
    await expect(reader.list(approved)).rejects.toThrow('down');
    expect(reads()).toBe(2);
  });
});
