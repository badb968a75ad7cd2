import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile, SiteFolder } from './site-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-site-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const at = (...parts: readonly string[]): string => join(folder, ...parts);
const text = (...parts: readonly string[]): string => readFileSync(at(...parts), 'utf8');

async function write(files: Readonly<Record<string, string>>) {
  const site = await SiteFolder.open(at('out'));
  try {
    for (const [path, content] of Object.entries(files)) await site.write({ path, content: Buffer.from(content) });
    await site.finish();
    return site.counts;
  } finally {
    site.release();
  }
}

describe('the folder of a site', () => {
  it('touches only files that have changed, and removes what is no longer needed', async () => {
    expect(await write({ 'index.html': 'a', 'x/y/index.html': 'b', 'x/z.json': 'c' })).toEqual({ written: 3, unchanged: 0, removed: 0 });
    const before = [statSync(at('out/index.html')), statSync(at('out/.vitrine-site'))].map(({ mtimeMs, ino }) => [mtimeMs, ino]);
    expect(await write({ 'index.html': 'a', 'x/y/index.html': 'b', 'x/z.json': 'c' })).toEqual({ written: 0, unchanged: 3, removed: 0 });
    expect([statSync(at('out/index.html')), statSync(at('out/.vitrine-site'))].map(({ mtimeMs, ino }) => [mtimeMs, ino])).toEqual(before);
    expect(await write({ 'index.html': 'a', 'x/z.json': 'd' })).toEqual({ written: 1, unchanged: 1, removed: 1 });
    expect(readdirSync(at('out'), { recursive: true }).sort()).toEqual(['.vitrine-site', '.vitrine-site.lock', 'index.html', 'x', 'x/z.json']);
    expect([text('out/x/z.json'), text('out/.vitrine-site').split('\n').slice(1)]).toEqual(['d', ['index.html', 'x/z.json', '']]);
  });

  it('keeps hidden files, CNAME and files that it did not write', async () => {
    mkdirSync(at('out/.git'), { recursive: true });
    writeFileSync(at('out/.git/config'), 'mine');
    writeFileSync(at('out/CNAME'), 'status.example');
    await write({ 'x/a.txt': '1' });
    writeFileSync(at('out/x/mine.txt'), 'mine');
    expect(await write({})).toMatchObject({ removed: 1 });
    expect([text('out/.git/config'), text('out/CNAME'), text('out/x/mine.txt')]).toEqual(['mine', 'status.example', 'mine']);
    await expect(write({ 'x/mine.txt': 'other' })).rejects.toThrow('was not written by vitrine site, and is in its way');
    expect(text('out/x/mine.txt')).toBe('mine');
  });

  it('refuses a folder that holds other files', async () => {
    mkdirSync(at('out'));
    writeFileSync(at('out/thesis.txt'), 'mine');
    await expect(write({ 'index.html': 'a' })).rejects.toThrow(
      'holds files that vitrine site has not written, such as thesis.txt. Name an empty folder',
    );
    expect(readdirSync(at('out'))).toEqual(['thesis.txt']);
  });

  it('refuses a file system without new folders, and does not try for ever', async () => {
    await expect(SiteFolder.open('/proc/vitrine/site')).rejects.toThrow(
      /^\/proc\/vitrine\/site cannot be written \(E\w+\)\. .*ame another folder\.$/,
    );
  });

  it('follows no symbolic link, when it writes and when it removes', async () => {
    await write({ 'x/index.html': 'a', 'y.txt': 'b' });
    mkdirSync(at('elsewhere'));
    writeFileSync(at('elsewhere/index.html'), 'mine');
    writeFileSync(at('elsewhere/y.txt'), 'mine');
    rmSync(at('out/x'), { recursive: true });
    rmSync(at('out/y.txt'));
    symlinkSync(at('elsewhere'), at('out/x'));
    symlinkSync(at('elsewhere/y.txt'), at('out/y.txt'));
    await expect(write({ 'x/index.html': 'b' })).rejects.toThrow('is a file or a symbolic link');
    await expect(write({ 'y.txt': 'c' })).rejects.toThrow('is in its way');
    expect(await write({})).toMatchObject({ removed: 0 });
    rmSync(at('out/.vitrine-site.lock'));
    symlinkSync(at('elsewhere/index.html'), at('out/.vitrine-site.lock'));
    await expect(write({})).rejects.toThrow('.vitrine-site.lock was not written by vitrine site');
    expect([text('elsewhere/index.html'), text('elsewhere/y.txt')]).toEqual(['mine', 'mine']);
  });

  it.each(['../victim', '/etc/victim', 'x/../../victim', '.git/config'])('refuses a list that names %s', async (path) => {
    await write({});
    writeFileSync(at('victim'), 'mine');
    writeFileSync(at('out/.vitrine-site'), `${text('out/.vitrine-site')}${path}\n`);
    await expect(write({})).rejects.toThrow('is not the list of vitrine site');
    expect(text('victim')).toBe('mine');
  });

  it('knows the files of a run that was killed', async () => {
    const killed = await SiteFolder.open(at('out'));
    await killed.write({ path: 'old/index.html', content: Buffer.from('a') });
    killed.release();
    writeFileSync(at('out/.vitrine-site'), `${text('out/.vitrine-site')}cut/ind`);
    writeFileSync(at('out/.vitrine-site-0123456789ab.tmp'), 'half');
    expect(await write({ 'index.html': 'b' })).toEqual({ written: 1, unchanged: 0, removed: 1 });
    expect(readdirSync(at('out')).sort()).toEqual(['.vitrine-site', '.vitrine-site.lock', 'index.html']);
  });

  it('is written by one run at a time', async () => {
    await write({ 'index.html': 'a' });
    const first = await SiteFolder.open(at('out'));
    await expect(write({ 'new.html': 'b' })).rejects.toThrow(
      `Another vitrine site writes into ${at('out')}. Wait until it has ended, then run the command again.`,
    );
    await first.write({ path: 'first.html', content: Buffer.from('a') });
    await first.finish();
    first.release();
    expect(await write({ 'new.html': 'b' })).toEqual({ written: 1, unchanged: 0, removed: 1 });
  });

  it('can be written again after a run that has failed', async () => {
    await write({});
    writeFileSync(at('out/mine.txt'), 'mine');
    await expect(write({ 'mine.txt': 'other' })).rejects.toThrow('is in its way');
    writeFileSync(at('list'), text('out/.vitrine-site'));
    writeFileSync(at('out/.vitrine-site'), 'thesis');
    await expect(write({})).rejects.toThrow('is not the list of vitrine site');
    writeFileSync(at('out/.vitrine-site'), text('list'));
    expect(await write({ 'index.html': 'a' })).toMatchObject({ written: 1 });
  });

  it('leaves no temporary file when a file cannot be replaced', async () => {
    mkdirSync(at('out'));
    await expect(replaceFile(at('out'), at('out/missing/file'), 'a')).rejects.toThrow('ENOENT');
    expect(readdirSync(at('out'))).toEqual([]);
  });

  it('says what to do when the folder cannot be written', async () => {
    writeFileSync(at('out'), 'a file');
    await expect(write({})).rejects.toThrow(`${at('out')} cannot be written (EEXIST). It is a file. Name a folder.`);
    expect(existsSync(at('out'))).toBe(true);
  });
});
