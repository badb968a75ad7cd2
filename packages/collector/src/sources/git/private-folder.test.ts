import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryFolder } from '../../../test/git/temporary-repository.js';
import { GitError } from './git-process.js';
import { privateFolder } from './private-folder.js';

const SOMEBODY = 65_534;
/** Only root can give files to other users. For other users these tests do not exist. */
const itAsRoot = process.getuid?.() === 0 ? it : (): void => undefined;

describe('privateFolder', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = new TemporaryFolder();
  });

  afterEach(() => {
    folder.remove();
  });

  const path = (name: string) => join(folder.path, name);
  const make = (name: string, mode: number) => {
    mkdirSync(path(name), { recursive: true });
    chmodSync(path(name), mode);
  };
  const mode = (name: string) => lstatSync(path(name)).mode & 0o7777;
  const refusal = async (name: string): Promise<string> => {
    const error: unknown = await privateFolder(path(name)).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GitError);
    const { message } = error as GitError;
    expect(message).toContain(`the folder for clones, "${path(name)}", `);
    expect(message).toMatch(/: set the key cache to a folder that only this user can change$/);
    return message;
  };

  it('creates a folder, and its parents, that no other user can enter', async () => {
    expect(await privateFolder(path('a/b'))).toBe(path('a/b'));
    expect([mode('a'), mode('a/b')]).toEqual([0o700, 0o700]);
    expect(await privateFolder(path('a/b'))).toBe(path('a/b'));
  });

  it.each(['data', 'data/cache/clones'])('does not create a data folder that is missing, but what belongs in it: %s', async (name) => {
    await expect(privateFolder(path(name), path('data'))).rejects.toThrow('cannot be made (ENOENT)');
    expect(readdirSync(folder.path)).toEqual([]);
    mkdirSync(path('data'));
    expect(await privateFolder(path(name), path('data'))).toBe(path(name));
  });

  it('is refused by a file system without new folders, and not tried for ever', async () => {
    await expect(privateFolder('/proc/vitrine/a/clones')).rejects.toThrow(
      /^the folder for clones, "\/proc\/vitrine\/a\/clones", cannot be made \(E\w+\): set the key cache/,
    );
  });

  it.each([
    [0o755, 0o755],
    [0o700, 0o700],
    [0o775, 0o755],
  ])('removes the write permission of others: %o becomes %o', async (before, after) => {
    make('clones', before);
    await privateFolder(path('clones'));
    expect(mode('clones')).toBe(after);
  });

  it('accepts a folder below one that is shared with the sticky bit, but not that one itself', async () => {
    make('tmp', 0o1777);
    expect(await privateFolder(path('tmp/clones'))).toBe(path('tmp/clones'));
    expect(await refusal('tmp')).toContain(`other users can write to "${path('tmp')}"`);
    expect(mode('tmp')).toBe(0o1777);
  });

  it('rejects a folder that all users could write to until now', async () => {
    make('clones', 0o777);
    expect(await refusal('clones')).toContain(`other users can write to "${path('clones')}"`);
  });

  it('rejects a folder below one that all users can write to', async () => {
    make('open/deep', 0o755);
    chmodSync(path('open'), 0o777);
    expect(await refusal('open/deep/clones')).toContain(`is not safe, because other users can write to "${path('open')}"`);
  });

  it('follows links, and checks their targets', async () => {
    make('real', 0o700);
    make('open', 0o777);
    make('open/inside', 0o700);
    symlinkSync('real', path('link'));
    symlinkSync('link', path('link-to-link'));
    symlinkSync(path('open/inside'), path('bad'));
    expect(await privateFolder(path('link-to-link/clones'))).toBe(path('real/clones'));
    expect(await refusal('bad/clones')).toContain(`other users can write to "${path('open')}"`);
    expect(await refusal('bad')).toContain(`other users can write to "${path('open')}"`);
  });

  it('reports that the folder cannot be created', async () => {
    writeFileSync(path('file'), '');
    symlinkSync('loop', path('loop'));
    symlinkSync('nowhere', path('dangling'));
    for (const name of ['file', 'file/clones', 'loop/clones', 'dangling']) {
      expect(await refusal(name)).toMatch(/cannot be made \((ENOTDIR|EEXIST|ELOOP|ENOENT)\)|is not a folder/);
    }
  });

  itAsRoot('refuses what belongs to another user: the folder, one above it, and a link', async () => {
    for (const name of ['planted', 'theirs/clones']) make(name, 0o700);
    for (const name of ['planted', 'theirs']) chownSync(path(name), SOMEBODY, SOMEBODY);
    symlinkSync('/root', path('link'));
    lchownSync(path('link'), SOMEBODY, SOMEBODY);
    expect(await refusal('planted')).toContain(`is not safe, because "${path('planted')}" belongs to another user`);
    expect(await refusal('theirs/clones')).toContain(`"${path('theirs')}" belongs to another user`);
    expect(await refusal('link')).toContain(`"${path('link')}" belongs to another user`);
  });

  itAsRoot('refuses a folder below one that a group may write to which this process is not in', async () => {
    make('grouped', 0o770);
    chownSync(path('grouped'), 0, SOMEBODY);
    expect(await refusal('grouped/clones')).toContain(`other users can write to "${path('grouped')}"`);
    chownSync(path('grouped'), 0, process.getgid?.() ?? 0);
    expect(await privateFolder(path('grouped/clones'))).toBe(path('grouped/clones'));
  });
});
