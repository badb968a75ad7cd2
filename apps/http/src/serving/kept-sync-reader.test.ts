import { Allowlist, type Sync, UnavailableError } from '@vitrine/core';
import { aSync } from '@vitrine/core/testing';
import { TimerDeadlines } from './computations.js';
import { KeptSyncReader } from './store-guard.js';

function counted(answers: () => Promise<readonly Sync[]>, isTold = true) {
  let reads = 0;
  const list = (): Promise<readonly Sync[]> => {
    reads += 1;
    return answers();
  };
  return { reader: new KeptSyncReader({ list }, new TimerDeadlines(), isTold), reads: () => reads };
}

describe('the kept sync records', () => {
  const approved = Allowlist.of('acme/widget').approved();

  it('are read once, and again when they have changed', async () => {
    const { reader, reads } = counted(() => Promise.resolve([aSync()]));
    for (let count = 0; count < 3; count++) expect(await reader.list(approved)).toEqual([aSync()]);
    expect(reads()).toBe(1);
    reader.forget();
    await reader.list(approved);
    await reader.list(approved);
    expect(reads()).toBe(2);
  });

  it('are not those of a read that began before the change', async () => {
    const results: ((syncs: readonly Sync[]) => void)[] = [];
    const { reader } = counted(() => new Promise((resolve) => results.push(resolve)));
    const before = reader.list(approved);
    reader.forget();
    const after = reader.list(approved);
    results[1]?.([aSync({ label: 'new' })]);
    results[0]?.([aSync()]);
    expect(await before).toEqual([aSync()]);
    expect(await after).toEqual([aSync({ label: 'new' })]);
    expect(await reader.list(approved)).toEqual([aSync({ label: 'new' })]);
  });

  it('serve only requests at the same time if nobody tells of changes', async () => {
    const { reader, reads } = counted(() => Promise.resolve([aSync()]), false);
    await Promise.all([reader.list(approved), reader.list(approved)]);
    expect(reads()).toBe(1);
    await reader.list(approved);
    expect(reads()).toBe(2);
  });

  it('are others for another list, and for none', async () => {
    const { reader, reads } = counted(() => Promise.resolve([]));
    await reader.list(approved);
    await reader.list(null);
    await reader.list(new Allowlist([], 'other').approved());
    expect(reads()).toBe(3);
  });

  it('are not waited for longer than half a second', async () => {
    const { reader } = counted(() => new Promise(() => undefined));
    await expect(reader.list(approved)).rejects.toThrow(UnavailableError);
  });

  it('are not kept if they could not be read', async () => {
    const { reader, reads } = counted(() => Promise.reject(new Error('down')));
    await expect(reader.list(approved)).rejects.toThrow('down');
    await expect(reader.list(approved)).rejects.toThrow('down');
    expect(reads()).toBe(2);
  });
});
