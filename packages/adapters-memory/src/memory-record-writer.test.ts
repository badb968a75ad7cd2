import fc from 'fast-check';
import { DAY, startOfDay } from '@vitrine/core';
import { aCheck, aCommit, NOW, StandingClock } from '@vitrine/core/testing';
import { openMemoryStore, type LogChange, type LogEntry, type OpenMemoryStore, type RecordLog } from './index.js';

const context = { signal: new AbortController().signal };

/** What happens to the changes of a failed append. */
type Fate = 'lost' | 'kept';

/** A log in memory whose next append can be made to fail, and which must then be recovered. */
class FailingLog implements RecordLog {
  readonly entries = new Map<string, Uint8Array>();
  next: Fate | null = null;
  isRepaired = true;
  #failed: Fate | null = null;

  async *load(): AsyncIterable<readonly LogEntry[]> {
    await Promise.resolve();
    for (const [key, value] of [...this.entries].sort(([a], [b]) => (a < b ? -1 : 1))) yield [{ key, value }];
  }

  append(changes: readonly LogChange[]): Promise<void> {
    if (this.#failed !== null) return Promise.reject(new Error('not recovered'));
    if (this.next !== 'lost') this.#make(changes);
    if (this.next === null) return Promise.resolve();
    [this.#failed, this.next] = [this.next, null];
    return Promise.reject(new Error('the disk failed'));
  }

  recover(): Promise<boolean> {
    if (!this.isRepaired) return Promise.reject(new Error('the disk still fails'));
    const isKept = this.#failed === 'kept';
    this.#failed = null;
    return Promise.resolve(isKept);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #make(changes: readonly LogChange[]): void {
    for (const { key, value } of changes) {
      if (value === null) this.entries.delete(key);
      else this.entries.set(key, value);
    }
  }
}

async function contents(store: OpenMemoryStore): Promise<string[]> {
  const all: string[] = [];
  for await (const record of store.collection.records(context)) all.push(JSON.stringify(record));
  return all.sort();
}

async function afterRestart(log: FailingLog): Promise<string[]> {
  return contents(await openMemoryStore({ clock: new StandingClock(NOW), log }));
}

const sha = (number: number): string => String(number).repeat(40);
const commit = (number: number, title = 'one') => aCommit({ sha: sha(number), title });
const identityOf = (number: number) => ({ kind: 'commit', repositoryRef: 'acme/widget', sha: sha(number) }) as const;

const operations = fc.array(
  fc.record({
    what: fc.constantFrom('put', 'remove', 'check'),
    number: fc.integer({ min: 0, max: 3 }),
    title: fc.constantFrom('one', 'two'),
    fate: fc.constantFrom<(Fate | null)[]>(null, null, 'lost', 'kept'),
    isRepaired: fc.boolean(),
  }),
  { maxLength: 25 },
);

describe('MemoryRecordWriter on a log that fails', () => {
  it('acknowledges only records that the log has, and shows no others', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (planned) => {
        const log = new FailingLog();
        const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
        let shown: readonly string[] = [];
        for (const { what, number, title, fate, isRepaired } of planned) {
          [log.next, log.isRepaired] = [fate, isRepaired];
          const record = what === 'check' ? aCheck({ checkedAt: NOW - number * 1_000 }) : commit(number, title);
          const write = what === 'remove' ? store.writer.remove([identityOf(number)], context) : store.writer.put([record], context);
          const isAcknowledged = await write.then(
            () => true,
            () => false,
          );
          if (isAcknowledged) {
            shown = await contents(store);
            expect(await afterRestart(log)).toEqual(shown);
          } else {
            const durable = new Set([...shown, ...(await afterRestart(log))]);
            expect((await contents(store)).filter((record) => !durable.has(record))).toEqual([]);
            expect(store.state).toBe('degraded');
          }
        }
        [log.next, log.isRepaired] = [null, true];
        await store.writer.put([commit(9)], context);
        expect(store.state).toBe('ready');
        expect(await afterRestart(log)).toEqual(await contents(store));
      }),
      { numRuns: 200 },
    );
  });

  it('does not report a record as unchanged if its removal failed, but is in the log', async () => {
    const log = new FailingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await store.writer.put([commit(1)], context);
    log.next = 'kept';
    await expect(store.writer.remove([identityOf(1)], context)).rejects.toThrow('the disk failed');
    expect(await contents(store)).toHaveLength(1);
    expect(await store.writer.put([commit(1)], context)).toMatchObject({ stored: 1, unchanged: 0 });
    expect(await afterRestart(log)).toHaveLength(1);
  });

  it('also rejects writes without changes while the log cannot be recovered, and continues to serve readers', async () => {
    const log = new FailingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await store.writer.put([commit(1)], context);
    [log.next, log.isRepaired] = ['lost', false];
    await expect(store.writer.put([commit(2)], context)).rejects.toThrow('the disk failed');
    for (const records of [[commit(1)], [commit(2)], []]) {
      await expect(store.writer.put(records, context)).rejects.toThrow('the disk still fails');
      await expect(store.writer.remove([identityOf(3)], context)).rejects.toThrow('the disk still fails');
    }
    expect(await contents(store)).toHaveLength(1);
    expect(store.state).toBe('degraded');
  });

  it('reports once that the log fails, and once that it works again', async () => {
    const log = new FailingLog();
    const told: boolean[] = [];
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log, onWritable: (isWritable) => told.push(isWritable) });
    await store.writer.put([commit(1)], context);
    for (let time = 0; time < 3; time++) {
      log.next = 'lost';
      await expect(store.writer.put([commit(2)], context)).rejects.toThrow('the disk failed');
    }
    expect(told).toEqual([false]);
    await store.writer.put([commit(2)], context);
    expect(told).toEqual([false, true]);
  });

  it('opens a log that cannot be written, even if days must be frozen', async () => {
    const log = new FailingLog();
    const old = startOfDay(NOW) - 10 * DAY;
    const first = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await first.writer.put([aCheck({ checkedAt: old }), aCheck({ checkedAt: NOW - DAY }), aCheck({ checkedAt: NOW })], context);
    log.next = 'lost';
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log, retentionMs: 5 * DAY });
    expect(store.state).toBe('degraded');
    expect((await contents(store)).filter((record) => record.includes('"kind":"check"'))).toHaveLength(3);
    await store.writer.put([], context);
    expect(store.state).toBe('ready');
  });
});
