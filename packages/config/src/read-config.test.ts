import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, readConfig } from './load-config.js';

/** A user without permissions. */
const NOBODY = 65_534;

describe('readConfig', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('reads the file that VITRINE_CONFIG names', async () => {
    const file = join(folder, 'other.yaml');
    writeFileSync(file, 'approved: [acme/widget]\n');
    const config = await readConfig({ VITRINE_CONFIG: file }, {});
    expect(config).toMatchObject({ file, store: { path: join(folder, '.vitrine') } });
    expect(cacheFolder(config, {})).toBe(join(folder, '.vitrine', 'clones'));
  });

  const written = async (text: string, variables: Record<string, string> = {}) => {
    const file = join(folder, 'vitrine.yaml');
    writeFileSync(file, `approved: [acme/widget]\n${text}`);
    return readConfig({ VITRINE_CONFIG: file, ...variables }, {});
  };

  it.each([
    ['memory', 'store: {path: null}\n', {}],
    ['MongoDB', '', { MONGODB_URI: 'mongodb://db.example' }],
  ])("keeps clones in the user's own cache folder when records are kept in %s", async (_, text, variables) => {
    const config = await written(text, variables);
    expect(cacheFolder(config, { HOME: '/home/ada' })).toBe('/home/ada/.cache/vitrine/clones');
    expect(cacheFolder(config, { HOME: '/home/ada', XDG_CACHE_HOME: '/var/cache/ada' })).toBe('/var/cache/ada/vitrine/clones');
    expect(cacheFolder(config, { HOME: '/home/ada', XDG_CACHE_HOME: 'relative' })).toBe('/home/ada/.cache/vitrine/clones');
    expect(cacheFolder(config, {})).toBe(join(homedir(), '.cache/vitrine/clones'));
  });

  it.each([
    ['a folder', ''],
    ['memory', 'store: {path: null}\n'],
  ])('keeps clones where the file says when records are kept in %s', async (_, text) => {
    expect(cacheFolder(await written(`cache: kept\n${text}`), {})).toBe(join(folder, 'kept/clones'));
  });

  it('says what to do when there is no such file', async () => {
    const file = join(folder, 'missing.yaml');
    await expect(readConfig({ VITRINE_CONFIG: file }, {})).rejects.toThrow(
      `${file}: cannot be read (ENOENT); write a configuration file there, or name another one in VITRINE_CONFIG`,
    );
  });

  it.each([
    ['the file', 0o755],
    ['its folder', 0o600],
  ])('says that this user may not read the file when the permissions of %s deny it', async (_, mode) => {
    const file = join(folder, 'vitrine.yaml');
    writeFileSync(file, 'approved: []\n', { mode: 0o000 });
    chmodSync(folder, mode);
    // Root may read every file.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(NOBODY);
    const read = readConfig({ VITRINE_CONFIG: file }, {});
    await read.catch(() => undefined);
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o700);
    await expect(read).rejects.toThrow(
      `${file}: cannot be read (EACCES), because this user may not; let this user read the file and enter its folder`,
    );
  });

  it('rejects a file that is not regular or is too large, without reading it', async () => {
    const file = join(folder, 'vitrine.yaml');
    const refusal = `; write a configuration file there, or name another one in VITRINE_CONFIG`;
    await expect(readConfig({ VITRINE_CONFIG: folder }, {})).rejects.toThrow(`${folder}: is a folder${refusal}`);
    await expect(readConfig({ VITRINE_CONFIG: '/dev/zero' }, {})).rejects.toThrow(`/dev/zero: is a device${refusal}`);
    writeFileSync(file, 'approved: [acme/widget]\n');
    truncateSync(file, 2 ** 30);
    await expect(readConfig({ VITRINE_CONFIG: file }, {})).rejects.toThrow(`${file}: is larger than 2 MB${refusal}`);
  });
});
