import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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
    for (let round = 0; round < 20; round++) {
      rmSync(join(root, 'a'), { recursive: true, force: true });
      await Promise.all(['a/b/c', 'a/b/c', 'a/b/d', 'a/b', 'a'].map((name) => makeFolder(join(root, name), { mode: 0o700 })));
    }
    await makeFolder(join(root, 'a', 'b'));
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'a/b', 'a/b/c', 'a/b/d']);
    for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
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
