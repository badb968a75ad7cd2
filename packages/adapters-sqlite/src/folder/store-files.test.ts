import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT } from '../database/open-database.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { checkStoreFolder, requireStore, StoreFiles } from './store-files.js';
import { StoreFolderError, writeProblemOf } from './store-folder-error.js';

const root = mkdtempSync(join(tmpdir(), 'vitrine-folders-'));
let serial = 0;
afterAll(() => {
  rmSync(root, { recursive: true });
});

function newFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, String(serial++));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder with a store, to which something was done. */
async function changed(change: (database: SqliteDatabase) => void): Promise<string> {
  const folder = newFolder();
  const files = await StoreFiles.open(folder);
  change(files.database);
  await files.close();
  return folder;
}

async function refusal(folder: string): Promise<readonly [string, string]> {
  const error: unknown = await StoreFiles.open(folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreFolderError)) throw new Error(`expected a StoreFolderError, found ${String(error)}`);
  return [error.problem, error.message.replaceAll(folder, 'FOLDER')];
}

function toThrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}

describe('a data folder', () => {
  it('is whole if the first attempt of this process to make tables failed', async () => {
    await jest.isolateModulesAsync(async () => {
      const [fresh, { SqliteDatabase: Database }] = await Promise.all([import('./store-files.js'), import('../database/sqlite-database.js')]);
      jest.spyOn(Database.prototype, 'exec').mockImplementationOnce(() => {
        throw new Error('out of memory');
      });
      const folder = newFolder();
      await expect(fresh.StoreFiles.open(folder)).rejects.toMatchObject({ problem: 'unreadable' });
      const files = await fresh.StoreFiles.open(folder);
      expect(files.database.number('select count(*) from incarnation')).toBe(1);
      await files.close();
    });
  });

  it('is created for this user only, with its file and its log', async () => {
    const folder = join(root, 'deep', 'er');
    const files = await StoreFiles.open(folder);
    files.database.run('insert into list (name) values (?)', 'x');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder).sort()).toEqual(['vitrine.db', 'vitrine.db-shm', 'vitrine.db-wal']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await files.close();
  });

  it('holds everything in its file alone after the store is closed', async () => {
    const folder = await changed((database) => database.run('insert into list (name) values (?)', 'kept'));
    rmSync(join(folder, 'vitrine.db-wal'), { force: true });
    rmSync(join(folder, 'vitrine.db-shm'), { force: true });
    const files = await StoreFiles.open(folder);
    expect(files.database.row('select name from list')).toEqual(['kept']);
    await files.close();
  });

  it('is created again if its creation was interrupted, and keeps nothing of the first try', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'vitrine.db.new-a1'));
    writeFileSync(join(folder, 'vitrine.db.new-a1', 'vitrine.db'), '');
    const files = await StoreFiles.open(folder);
    expect(files.database.number('pragma user_version')).toBe(FORMAT);
    await files.close();
    expect(readdirSync(folder).filter((name) => name.includes('new'))).toEqual([]);
  });

  it('is created in a folder that only holds what the collector keeps beside a store', async () => {
    const files = await StoreFiles.open(newFolder({ clones: '', 'source-runs-3cb3fcf7a4ca.json': '{}', 'collect-3cb3fcf7a4ca.sock': '' }));
    await files.close();
  });

  it('waits for a process that has the lock while this one gives the file its log', async () => {
    const folder = await changed((database) => {
      database.row('pragma journal_mode = delete');
    });
    const other = new SqliteDatabase(join(folder, 'vitrine.db'));
    other.exec('begin immediate');
    const opened = StoreFiles.open(folder);
    setTimeout(() => other.close(), 50);
    await (await opened).close();
  });

  it('of temporary files is removed at the end', async () => {
    const files = await StoreFiles.open(null);
    expect(statSync(files.file).mode & 0o777).toBe(0o600);
    await files.close();
    expect(() => statSync(join(files.file, '..'))).toThrow('ENOENT');
  });
});

describe('a folder that is no store is refused', () => {
  it('if it has the format before SQLite', async () => {
    for (const name of ['CURRENT', 'MANIFEST-000004', '000005.ldb'])
      expect(await refusal(newFolder({ [name]: 'x' }))).toEqual([
        'old-format',
        'The data folder FOLDER has the format of an older version of Vitrine. Run "vitrine export FILE" with the version before this one, and "vitrine import FILE" with this version and a new folder.',
      ]);
  });

  it('if a newer version wrote it', async () => {
    const folder = await changed((database) => {
      database.exec(`pragma user_version = ${String(FORMAT + 1)}`);
    });
    const [problem, message] = await refusal(folder);
    expect([problem, message]).toEqual(['newer', expect.stringContaining('Use that version, or another folder.')]);
  });

  it('if its file is damaged', async () => {
    const cut = await changed(() => undefined);
    truncateSync(join(cut, 'vitrine.db'), 5_000);
    expect((await refusal(cut))[0]).toBe('damaged');
    const overwritten = await changed(() => undefined);
    writeFileSync(join(overwritten, 'vitrine.db'), Buffer.alloc(4_096, 7), { flag: 'r+' });
    expect((await refusal(overwritten))[0]).toBe('damaged');
    expect((await refusal(newFolder({ 'vitrine.db-wal': 'x' })))[0]).toBe('damaged');
  });

  it('if its file cannot be opened', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'vitrine.db'));
    const [problem, message] = await refusal(folder);
    expect([problem, message]).toEqual(['unreadable', expect.stringContaining('Check that the folder may be read and written')]);
    const error = toThrown(() => new SqliteDatabase(join(folder, 'vitrine.db')));
    expect(writeProblemOf(error, join(folder, 'vitrine.db'))).toMatchObject({ problem: 'unwritable', cause: error });
  });

  it('if its file is empty, and its log is kept', async () => {
    // The driver closes connections late, and then removes the log. So no store was ever opened here.
    const folder = newFolder({ 'vitrine.db': '', 'vitrine.db-wal': 'x' });
    expect(await refusal(folder)).toEqual([
      'damaged',
      'The data folder FOLDER is damaged: its file vitrine.db is empty, which Vitrine never leaves behind. Restore the folder from a backup, or move it away and start again. Then all sources are collected again.',
    ]);
    await expect(checkStoreFolder(folder)).rejects.toMatchObject({ problem: 'damaged' });
    expect(readdirSync(folder)).toContain('vitrine.db-wal');
  });

  it('if it holds other files, or the file of another program', async () => {
    expect(await refusal(newFolder({ 'holiday.jpg': 'x' }))).toEqual([
      'not-a-store',
      'FOLDER is not a data folder of Vitrine: it holds other files, such as holiday.jpg. Give the path of an empty or new folder.',
    ]);
    const folder = newFolder();
    const other = new SqliteDatabase(join(folder, 'vitrine.db'));
    other.exec('create table holidays (photo text)');
    other.close();
    expect((await refusal(folder))[0]).toBe('not-a-store');
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect((await refusal(file))[0]).toBe('not-a-store');
  });

  it('if another process keeps it locked', async () => {
    const folder = await changed((database) => {
      database.exec('pragma user_version = 0; pragma application_id = 0; pragma journal_mode = delete');
    });
    const other = new SqliteDatabase(join(folder, 'vitrine.db'));
    other.exec('begin exclusive');
    const opened = refusal(folder);
    expect((await opened)[0]).toBe('in-use');
    other.close();
  });

  it('if its file system refuses new folders, without trying for ever', async () => {
    await expect(StoreFiles.open('/proc/vitrine/a/store')).rejects.toThrow('The data folder /proc/vitrine/a/store cannot be opened: E');
    await expect(StoreFiles.open('/dev/null/store')).rejects.toMatchObject({ problem: 'not-a-store' });
  });

  it('by commands that only read, if it does not exist or is empty', async () => {
    for (const folder of [newFolder(), join(root, 'never')]) await expect(requireStore(folder)).rejects.toMatchObject({ problem: 'missing' });
    const folder = await changed(() => undefined);
    await expect(requireStore(folder)).resolves.toBe(join(folder, 'vitrine.db'));
  });

  it('by processes that need an existing store, without creating anything', async () => {
    const folder = join(root, 'absent');
    await expect(StoreFiles.open(folder, true)).rejects.toMatchObject({ problem: 'missing' });
    expect(() => statSync(folder)).toThrow('ENOENT');
    const files = await StoreFiles.open(await changed(() => undefined), true);
    await files.close();
  });

  it('by the check of a configuration, without creating anything', async () => {
    await expect(checkStoreFolder(join(root, 'not', 'yet'))).resolves.toBeUndefined();
    expect(() => statSync(join(root, 'not'))).toThrow('ENOENT');
    await expect(checkStoreFolder(newFolder({ 'holiday.jpg': 'x' }))).rejects.toMatchObject({ problem: 'not-a-store' });
  });
});
