import { existsSync, mkdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCommit, NOW } from '@vitrine/core/testing';
import { openLocalStore } from '../test/open-local-store.js';
import { openSqliteStore } from './index.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-backup-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('a backup', () => {
  it('is a whole store in one file that only this user can read, made while the store is written', async () => {
    const store = await openSqliteStore({ clock, path: join(root, 'store') });
    await store.writer.put([aCommit()], context);
    mkdirSync(join(root, 'copy'));
    const file = join(root, 'copy', 'vitrine.db');
    const writing = Array.from({ length: 20 }, (_, index) => store.writer.put([aCommit({ sha: `${String(index)}f`.padEnd(40, '0') })], context));
    await Promise.all([store.backup(file), ...writing]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.close();
    const copy = await openLocalStore({ clock, path: join(root, 'copy') });
    expect((await copy.collection.commitBranches('acme/widget', context)).has(aCommit().sha)).toBe(true);
    await copy.writer.put([aCommit({ sha: 'b'.repeat(40) })], context);
    // Without the log, readers and writers would wait for each other.
    expect(existsSync(`${file}-wal`)).toBe(true);
    await copy.close();
  });

  it('never replaces a file, and leaves none if it fails', async () => {
    const store = await openLocalStore({ clock, path: null });
    const file = join(root, 'existing');
    await writeFile(file, 'precious');
    await expect(store.backup(file)).rejects.toThrow('EEXIST');
    expect(statSync(file).size).toBe(8);
    await expect(store.backup(join(root, 'no', 'such', 'folder'))).rejects.toThrow('ENOENT');
    expect(existsSync(join(root, 'no'))).toBe(false);
    await store.close();
  });
});
