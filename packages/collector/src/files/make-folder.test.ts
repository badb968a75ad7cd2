import { everyNth } from '@vitrine/test-support';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './write-whole.js';

describe('a new folder', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vitrine-made-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('has its parents and the given mode, also if others make it at the same time, and keeps what exists', async () => {
    // Some calls see a parent missing that exists when they look again.
    for (let round = 0; round < 20; round += everyNth(4)) {
      rmSync(join(root, 'a'), { recursive: true, force: true });
      await Promise.all(['a/b/c', 'a/b/c', 'a/b/d', 'a/b', 'a'].map((name) => makeFolder(join(root, name), { mode: 0o700 })));
    }
    await makeFolder(join(root, 'a', 'b'));
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'a/b', 'a/b/c', 'a/b/d']);
    for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
  });

  it('is never the data folder, also if that is moved while it is looked at', async () => {
    const [dataFolder, away] = [join(root, 'data'), join(root, 'away')];
    for (let round = 0; round < 50; round += everyNth(3)) {
      mkdirSync(dataFolder);
      const made = Promise.allSettled(['', 'clones'].map((name) => makeFolder(join(dataFolder, name), { dataFolder })));
      // Other threads look at it meanwhile, sooner or later.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, round / 50);
      renameSync(dataFolder, away);
      await made;
      expect(readdirSync(root)).toEqual(['away']);
      rmSync(away, { recursive: true });
    }
  });

  it.each([
    ['the name of a file', 'file', 'EEXIST'],
    ['a place below a file', 'file/x/y', 'ENOTDIR'],
    ['a link to nothing', 'link', 'EEXIST'],
    ['a place below a link to nothing', 'link/x', 'EEXIST'],
  ])('is refused at %s', async (_place, name, code) => {
    writeFileSync(join(root, 'file'), '');
    symlinkSync(join(root, 'nowhere'), join(root, 'link'));
    await expect(makeFolder(join(root, name))).rejects.toMatchObject({ code });
    expect(readdirSync(root).sort()).toEqual(['file', 'link']);
  });

  it.each(['/proc/vitrine', '/proc/vitrine/a/b'])('is refused by a file system without new folders, and not tried for ever: %s', async (path) => {
    await expect(makeFolder(path)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  });
});
