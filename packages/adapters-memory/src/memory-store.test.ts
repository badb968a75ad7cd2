import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, DAY, MINUTE, SEARCH_TYPES, searchWordsOf, startOfDay, UnavailableError, type Check, type StoredRecord } from '@vitrine/core';
import { aCheck, aSync, aCommit, aRelease, aRepositoryRecord, NOW, oneOfEach, StandingClock } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore, type LogChange, type LogEntry, type OpenMemoryStore, type RecordLog } from './index.js';

const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();

/** A log in memory that counts its writes, and can be made to fail. */
class CountingLog implements RecordLog {
  readonly entries = new Map<string, Uint8Array>();
  readonly appended: (readonly LogChange[])[] = [];
  isFull = false;

  async *load(): AsyncIterable<readonly LogEntry[]> {
    await Promise.resolve();
    for (const [key, value] of [...this.entries].sort(([a], [b]) => (a < b ? -1 : 1))) yield [{ key, value }];
  }

  append(changes: readonly LogChange[]): Promise<void> {
    if (this.isFull) return Promise.reject(new Error('no space left'));
    this.appended.push(changes);
    for (const { key, value } of changes) {
      if (value === null) this.entries.delete(key);
      else this.entries.set(key, value);
    }
    return Promise.resolve();
  }

  recover(): Promise<boolean> {
    return this.isFull ? Promise.reject(new Error('no space left')) : Promise.resolve(false);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  keys(start: string): string[] {
    return [...this.entries.keys()].filter((key) => key.startsWith(start));
  }
}

async function search(store: OpenMemoryStore, q: string): Promise<string[]> {
  const words = searchWordsOf(q) ?? { whole: [], prefix: null };
  const page = await store.readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 100, after: null, to: NOW }, context);
  return page.items.map(({ position }) => position.id);
}

async function records(store: OpenMemoryStore): Promise<string[]> {
  const all: string[] = [];
  for await (const record of store.collection.records(context)) all.push(JSON.stringify(record));
  return all.sort();
}

function checksOf(count: number, from: number): Check[] {
  return Array.from({ length: count }, (_, index) => aCheck({ checkedAt: from + index * 1_000 }));
}

function raw(store: OpenMemoryStore, to = NOW) {
  return store.readers.checks.list(aCheck().serviceKey, { limit: 10_000, after: null, from: null, to }, context);
}

describe('a memory store with a log', () => {
  it('has the same content after it is opened again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-equal-'));
    const open = async () => openMemoryStore({ clock: new StandingClock(NOW), log: await LevelRecordLog.open(folder) });
    const first = await open();
    await first.writer.put([...oneOfEach(), ...checksOf(150, NOW - 2 * DAY), aCheck({ checkedAt: NOW - 5 * MINUTE })], context);
    const [before, status] = [
      await records(first),
      await first.readers.checks.evidence({ serviceKeys: null, windows: [{ from: NOW - 7 * DAY, to: NOW }], now: NOW }, context),
    ];
    await first.close();
    const second = await open();
    expect(await records(second)).toEqual(before);
    expect([
      ...(await second.readers.checks.evidence({ serviceKeys: null, windows: [{ from: NOW - 7 * DAY, to: NOW }], now: NOW }, context)),
    ]).toEqual([...status]);
    expect(await second.readers.repositories.byRefs(approved, ['acme/widget'], context)).toMatchObject([
      { latestRelease: { tagName: 'v2.1.0' }, latestActivityAt: aCommit().committedAt },
    ]);
    expect((await second.writer.put(oneOfEach(), context)).stored).toBe(0);
    await second.searchReady;
    expect(await search(second, 'keyset index')).toContain(
      `acme/widget@${aCommit().sha} ${(await search(second, 'keyset index'))[0]?.split(' ')[1] ?? ''}`,
    );
    await second.close();
    await rm(folder, { recursive: true });
  });

  it('opens a log with sync records of a version that stored neither a type nor attempts', async () => {
    const log = new CountingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await store.writer.put([aSync({ id: 'git acme/widget' })], context);
    await store.close();
    // As that version wrote it.
    const older = `{"kind":"sync","id":"git acme/widget","repositoryRef":"acme/widget","feeds":["commit"],"intervalMs":300000,"lastSuccessAt":${String(NOW)},"state":"memory"}`;
    for (const [key, value] of log.entries) if (Buffer.from(value).includes('"kind":"sync"')) log.entries.set(key, Buffer.from(older));
    const again = await openMemoryStore({ clock: new StandingClock(NOW), log });
    const times = { firstAttemptAt: NOW, lastAttemptAt: NOW, lastSuccessAt: NOW, lastFailureAt: null, lastFailureCode: null };
    const expected = { id: 'git acme/widget', sourceType: 'git', label: 'acme/widget', feeds: ['commit'], ...times };
    expect(await again.readers.syncs.list(approved, context)).toMatchObject([expected]);
    expect(await again.collection.sync('git acme/widget', context)).toMatchObject({ ...expected, state: 'memory' });
    await again.close();
  });

  it('writes nothing for records that are already stored', async () => {
    const log = new CountingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await store.writer.put(oneOfEach(), context);
    const writes = log.appended.length;
    const reordered = oneOfEach().map((record) => Object.fromEntries(Object.entries(record).reverse()) as unknown as typeof record);
    expect(await store.writer.put(reordered, context)).toMatchObject({ stored: 0, unchanged: reordered.length });
    expect(log.appended).toHaveLength(writes);
  });

  it('shows nothing that the log has rejected, and accepts the same call again', async () => {
    const log = new CountingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    log.isFull = true;
    await expect(store.writer.put(oneOfEach(), context)).rejects.toThrow('no space left');
    expect(await records(store)).toEqual([]);
    log.isFull = false;
    expect((await store.writer.put(oneOfEach(), context)).stored).toBe(oneOfEach().length);
    expect(await records(store)).toHaveLength(oneOfEach().length);
  });

  it('writes a few bytes for one more check, and merges them into the pack of the day from time to time', async () => {
    const log = new CountingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    const day = startOfDay(NOW);
    await store.writer.put(checksOf(500, day), context);
    expect([log.keys('c/').length, log.keys('t/').length]).toEqual([1, 0]);
    for (const check of checksOf(63, day + 1_000_000)) await store.writer.put([check], context);
    expect([log.keys('c/').length, log.keys('t/').length]).toEqual([1, 63]);
    expect(log.appended.at(-1)?.[0]?.value?.length).toBeLessThan(400);
    await store.writer.put([aCheck({ checkedAt: day + 2_000_000 })], context);
    expect([log.keys('c/').length, log.keys('t/').length]).toEqual([1, 0]);
    await store.writer.put([aCheck({ checkedAt: day - 1_000 })], context);
    await store.writer.put([aCheck({ checkedAt: day + 3_000_000 })], context);
    expect([log.keys('c/').length, log.keys('t/')]).toEqual([2, [expect.stringContaining('/2026-11-20/')]]);
    const reopened = await openMemoryStore({ clock: new StandingClock(NOW), log });
    expect((await raw(reopened)).items).toEqual((await raw(store)).items);
    expect((await raw(store)).items).toHaveLength(500 + 63 + 3);
  });

  it('deletes raw checks that are older than the retention, also when it is opened, and keeps their counts', async () => {
    const log = new CountingLog();
    const clock = new StandingClock(NOW);
    const first = await openMemoryStore({ clock, log, retentionMs: 500 * DAY });
    await first.writer.put(checksOf(90, NOW - DAY), context);
    const window = { from: startOfDay(NOW - DAY), to: startOfDay(NOW) };
    const days = await first.readers.checks.days(aCheck().serviceKey, { window, now: NOW }, context);
    clock.set(NOW + 401 * DAY);
    const recent = [aCheck({ checkedAt: NOW + 400 * DAY }), aCheck({ checkedAt: NOW + 401 * DAY })];
    await first.writer.put(recent, context);
    const second = await openMemoryStore({ clock, log });
    expect([log.keys('c/'), log.keys('t/').length, log.keys('d/').length]).toEqual([[], 2, 1]);
    expect(await second.readers.checks.days(aCheck().serviceKey, { window, now: clock.now() }, context)).toEqual(days);
    expect((await raw(second)).items).toEqual([]);
    const exported: unknown[] = [];
    for await (const record of second.collection.records(context)) exported.push(record);
    expect(exported).toMatchObject([{ kind: 'status-day', counts: { operational: 90 } }, ...recent]);
  });

  it('accepts counts only for frozen days, and allows to replace and remove them', async () => {
    const clock = new StandingClock(NOW);
    const store = await openMemoryStore({ clock, log: new CountingLog() });
    const tally = {
      counts: { operational: 5, degraded: 0, outage: 1, maintenance: 0, unknown: 0 },
      coveredMs: 900,
      latency: { buckets: [], max: 0 },
    };
    const frozen = startOfDay(NOW - 500 * DAY);
    const day = {
      kind: 'status-day' as const,
      serviceKey: 'acme:api',
      day: frozen,
      ...tally,
      firstCheckedAt: frozen,
      lastCheckedAt: frozen + 9,
      coveredUntil: frozen + 900,
    };
    const report = await store.writer.put([day, { ...day, day: startOfDay(NOW) }, day], context);
    expect(report).toEqual({ stored: 1, unchanged: 1, refused: [{ index: 1, reason: 'open-day' }] });
    const evidence = await store.readers.checks.evidence({ serviceKeys: null, windows: [], now: NOW }, context);
    expect(evidence.get('acme:api')).toMatchObject({ trackedFrom: frozen, lastCheckedAt: frozen + 9, newest: [] });
    expect(await store.writer.remove([day, day], context)).toBe(1);
    expect((await store.readers.checks.evidence({ serviceKeys: null, windows: [], now: NOW }, context)).size).toBe(0);
  });
});

describe('a log with e-mail addresses', () => {
  const ADDRESS = 'ada@example.org';
  /** A text of the same length as the address, which is not an address. */
  const STANDS_FOR_IT = 'ada~example.org';

  /** A log that was written by a version without the rule. */
  async function oldLog(stored: readonly StoredRecord[]): Promise<CountingLog> {
    const log = new CountingLog();
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await store.writer.put(stored, context);
    await store.close();
    for (const [key, value] of log.entries)
      log.entries.set(key, Buffer.from(Buffer.from(value).toString('latin1').replaceAll(STANDS_FOR_IT, ADDRESS), 'latin1'));
    return log;
  }

  it('is loaded without them, and without the records that are rejected for one', async () => {
    const source = { ...aCheck().provenance, source: STANDS_FOR_IT };
    const cut = [
      aRepositoryRecord({ defaultBranch: STANDS_FOR_IT }),
      aCommit({ title: `by ${STANDS_FOR_IT}`, authorName: STANDS_FOR_IT, branch: STANDS_FOR_IT }),
      aCheck({ rawState: STANDS_FOR_IT }),
    ];
    const refused = [aRelease({ tagName: STANDS_FOR_IT }), aCheck({ checkedAt: NOW - 2 * MINUTE, provenance: source })];
    const log = await oldLog([...cut, ...refused]);
    const told: string[] = [];
    const monitor = { quarantined: (...words: readonly string[]) => told.push(words.join(' ')) };
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log, monitor });
    await store.searchReady;
    const left = await records(store);
    expect(left).toHaveLength(cut.length);
    expect(left.join('\n')).not.toContain('example.org');
    expect(await search(store, 'example')).toEqual([]);
    expect(await store.readers.repositories.byRefs(approved, ['acme/widget'], context)).toMatchObject([{ latestRelease: null, defaultBranch: null }]);
    expect((await raw(store)).items.map(({ rawState }) => rawState)).toEqual(['']);
    expect(told.sort()).toEqual([
      'check acme:widget-api email-in-identifier',
      expect.stringMatching(/^release acme\/widget@ \w+ email-in-identifier$/),
    ]);
    await store.close();
  });

  it('reports an id that names another repository without that name', async () => {
    const log = await oldLog([aRelease({ id: 'acme/widget@v1' })]);
    for (const [key, value] of log.entries)
      log.entries.set(key, Buffer.from(Buffer.from(value).toString().replace('"id":"acme/widget@v1"', '"id":"acme/secret@v1"')));
    const told: string[] = [];
    const monitor = { quarantined: (...words: readonly string[]) => told.push(words.join(' ')) };
    const store = await openMemoryStore({ clock: new StandingClock(NOW), log, monitor });
    expect([await records(store), told]).toEqual([[], ['release one of acme/widget foreign-id']]);
  });
});

describe('search of a memory store', () => {
  it('rejects until everything that was loaded is indexed, and then also finds records that were written meanwhile', async () => {
    const log = new CountingLog();
    const first = await openMemoryStore({ clock: new StandingClock(NOW), log });
    const commits = Array.from({ length: 3_000 }, (_, index) =>
      aCommit({ sha: `a${index.toString(16).padStart(39, '0')}`, title: `Loaded ${String(index)}`, committedAt: NOW - index }),
    );
    await first.writer.put(commits, context);
    const second = await openMemoryStore({ clock: new StandingClock(NOW), log });
    await expect(search(second, 'loaded')).rejects.toBeInstanceOf(UnavailableError);
    await second.writer.put([aCommit({ title: 'Written meanwhile' })], context);
    await second.writer.remove([aCommit({ sha: `a${'7'.padStart(39, '0')}` })], context);
    await second.searchReady;
    expect(await search(second, 'loaded 2999')).toHaveLength(1);
    expect(await search(second, 'loaded 7')).not.toContain(expect.stringContaining(`a${'7'.padStart(39, '0')}`));
    expect(await search(second, 'meanwhile')).toHaveLength(1);
    await second.close();
  });

  it('finds all of many new records at once, and does not block the process meanwhile', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const commits = Array.from({ length: 4_000 }, (_, index) =>
      aCommit({ sha: `b${index.toString(16).padStart(39, '0')}`, title: 'Many', committedAt: NOW - index }),
    );
    await store.writer.put(commits, context);
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    const words = { whole: ['many'], prefix: null };
    const last = { tier: 0 as const, time: NOW - 3_998, type: 'commit' as const, id: '~' };
    const tail = await store.readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 5, after: last, to: NOW }, context);
    clearInterval(turning);
    expect(tail.items).toHaveLength(1);
    expect(turns).toBeGreaterThan(0);
  });

  it('finds records by the new name of a repository, in any order of writing', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    await store.writer.put([aCommit({ title: 'x' })], context);
    expect([(await search(store, 'widget')).length, (await search(store, 'wid')).length]).toEqual([1, 1]);
    await store.writer.put([aRepositoryRecord({ fullName: 'Acme/WidGet' })], context);
    expect(await search(store, 'get x')).toHaveLength(1);
    await store.writer.remove([aRepositoryRecord()], context);
    expect(await search(store, 'get x')).toEqual([]);
    expect(await search(store, 'widget x')).toHaveLength(1);
  });

  it('rejects if the store was opened without it', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW), search: false });
    await store.writer.put([aCommit()], context);
    await expect(search(store, 'keyset')).rejects.toBeInstanceOf(UnavailableError);
  });

  it('reuses the slots of removed records without mixing records up', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const commits = (title: string, from: number) =>
      Array.from({ length: 5_000 }, (_, index) =>
        aCommit({ sha: `c${(from + index).toString(16).padStart(39, '0')}`, title, committedAt: NOW - index }),
      );
    await store.writer.put(commits('Before', 0), context);
    await search(store, 'before');
    expect(await store.writer.remove(commits('Before', 0), context)).toBe(5_000);
    await store.writer.put(commits('After', 10_000), context);
    expect(await search(store, 'before')).toEqual([]);
    expect(await search(store, 'after')).toHaveLength(100);
    const query = { limit: 100, after: null, from: null, to: NOW, branch: null, author: null, changeType: null };
    const page = await store.readers.commits.list(approved, query, context);
    expect(page.items.every(({ title }) => title === 'After')).toBe(true);
  });
});

describe('a call of a memory store', () => {
  it('rejects with the reason of an aborted signal', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    const gone = { signal: AbortSignal.abort(new Error('the client has gone')) };
    await expect(store.readers.repositories.list(approved, { limit: 1, after: null }, gone)).rejects.toThrow('the client has gone');
    await expect(store.writer.put([aCommit()], gone)).rejects.toThrow('the client has gone');
    expect(await records(store)).toEqual([]);
  });
});
