import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { FORMAT } from '../src/database/open-database.js';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { openSqliteStore, type OpenSqliteStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const MOVED = { problem: 'moved' };

let root = '';
let folder = '';
let serial = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-moved-'));
});
beforeEach(() => (folder = join(root, String(serial++))));
afterAll(() => rm(root, { recursive: true }));

/** What may happen to the files of a running process. */
const EVENTS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the folder is removed', () => rm(folder, { recursive: true })],
  ['the folder is renamed', () => rename(folder, `${folder}-away`)],
  ['the file is removed', () => rm(join(folder, 'vitrine.db'))],
  ['the log is removed', () => rm(join(folder, 'vitrine.db-wal'))],
  [
    'the file is replaced by a copy',
    async () => {
      await cp(join(folder, 'vitrine.db'), join(root, 'copy'));
      await rename(join(root, 'copy'), join(folder, 'vitrine.db'));
    },
  ],
  [
    'the folder is replaced by an empty one',
    async () => {
      await rename(folder, `${folder}-old`);
      await mkdir(folder);
    },
  ],
];

async function opened(events: string[] = []): Promise<OpenSqliteStore> {
  return openSqliteStore({ clock, path: folder, onWritable: (isWritable, error) => events.push(`${String(isWritable)} ${String(error)}`) });
}

/** Resolves when the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(EVENTS)('if %s while a store is open', (_what, happen) => {
  it('refuses every write, says so once, loses the lease, and is no longer ready', async () => {
    const events: string[] = [];
    const store = await opened(events);
    const lease = await store.acquireLease({ holder: 'first', ...context });
    await store.writer.put([aCommit()], context);
    await happen();
    await expect(store.writer.put([aCommit({ sha: 'b'.repeat(40) })], context)).rejects.toMatchObject(MOVED);
    await expect(store.writerUnder(lease).put([aCommit({ sha: 'c'.repeat(40) })], context)).rejects.toMatchObject(MOVED);
    expect([store.state, await lease.isHeld(), lease.lost.reason]).toEqual(['moved', false, expect.objectContaining(MOVED)]);
    await expect(store.acquireLease({ holder: 'first', waitMs: 0, ...context })).rejects.toMatchObject(MOVED);
    expect(events).toEqual([expect.stringContaining('restart the process')]);
    await store.close();
  });
});

describe('a newer version that opens the file of an open store', () => {
  it('is the only one that writes from then on, and the records can still be read', async () => {
    const events: string[] = [];
    const store = await opened(events);
    const lease = await store.acquireLease({ holder: 'first', ...context });
    await store.writer.put([aCommit()], context);
    const newer = new SqliteDatabase(join(folder, 'vitrine.db'));
    newer.exec(`pragma user_version = ${String(FORMAT + 1)}`);
    newer.close();
    for (const writer of [store.writer, store.writerUnder(lease)])
      await expect(writer.put([aCommit({ sha: 'b'.repeat(40) })], context)).rejects.toMatchObject({ problem: 'newer' });
    expect([store.state, await lease.isHeld(), lease.lost.reason]).toEqual(['degraded', false, expect.objectContaining({ problem: 'newer' })]);
    await expect(store.acquireLease({ holder: 'first', waitMs: 0, ...context })).rejects.toMatchObject({ problem: 'newer' });
    expect(events).toEqual([expect.stringContaining('was written by a newer version')]);
    expect((await store.collection.commitBranches(aCommit().repositoryRef, context)).size).toBe(1);
    await store.close();
  });
});

describe('a store that is only read', () => {
  it('notices within seconds that its folder is gone, and that it is back', async () => {
    const store = await opened();
    await rename(folder, `${folder}-away`);
    await until(() => store.state === 'moved');
    await rename(`${folder}-away`, folder);
    await until(() => store.state === 'ready');
    expect((await store.writer.put([aCommit()], context)).stored).toBe(1);
    await store.close();
  }, 120_000);

  it('notices at once that it cannot be written if it is refused a lease', async () => {
    const events: string[] = [];
    const store = await opened(events);
    await rename(folder, `${folder}-away`);
    await expect(store.acquireLease({ holder: 'first', waitMs: 0, ...context })).rejects.toMatchObject(MOVED);
    expect([store.state, events]).toEqual(['moved', [expect.stringContaining('restart the process')]]);
    await store.close();
  });

  it('starts no thread that would read other files', async () => {
    const store = await opened();
    await happenedTo(folder);
    await expect(store.readers.activity.days(Allowlist.of('acme/widget').approved(), { from: 0, to: NOW }, context)).rejects.toThrow();
    await expect(store.writer.put([aCommit()], context)).rejects.toMatchObject(MOVED);
    await store.close();
    const other = await opened();
    expect((await other.collection.commitBranches('acme/widget', context)).size).toBe(0);
    await other.close();
  });
});

/** Another process has made a new store in the place of the old one. */
async function happenedTo(path: string): Promise<void> {
  await rename(path, `${path}-away`);
  await (await opened()).close();
}
